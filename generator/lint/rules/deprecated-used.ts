import type { Annotation, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findAnnotation } from "../../2-check/notation/annotations.js";
import { metadataValue } from "../../2-check/notation/metadata.js";
import { namesIn } from "../../2-check/program/nodes.js";
import type { Program } from "../../2-check/program/program.js";
import { lookUpLoosely } from "../../2-check/program/reach.js";
import { locate, relate } from "../../2-check/report/report.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";

/** What is not to be used any more is not used by what is. */
export const deprecatedUsed: LintRule = {
  code: "deprecated-used",
  category: "minimal",
  find: (program) =>
    mentionsOf(program).flatMap(({ name, document }) => {
      const scope = program.scopes.get(document.path);
      const declared = scope && lookUpLoosely(scope, name.text);
      if (declared === undefined) return [];
      const note = findAnnotation(declared.syntax, "deprecated");
      if (note === undefined) return [];
      return explain(name, document, note, declared.document);
    }),
};

function explain(
  name: Word,
  document: LoadedDocument,
  { span, value }: Annotation,
  declaredIn: LoadedDocument,
): Finding {
  return {
    location: locate(document, name),
    message: `\`${name.text}\` is deprecated`,
    related: [relate(declaredIn, { span }, "deprecated here")],
    ...(value && { help: value.text }),
  };
}

interface Mention {
  readonly name: Word;
  readonly document: LoadedDocument;
}

/** The types that are named by something that is not deprecated itself. */
function mentionsOf({ nodes }: Program): readonly Mention[] {
  const fields = nodes.fields.filter(
    ({ syntax, owner }) =>
      metadataValue(syntax, "deprecated") === undefined &&
      !isDeprecated(syntax) &&
      !isDeprecated(owner),
  );
  const aliases = nodes.aliases.filter(({ syntax }) => !isDeprecated(syntax));
  const methods = nodes.methods.filter(
    ({ syntax, owner }) => !isDeprecated(syntax) && !isDeprecated(owner),
  );
  const messages = methods.flatMap(({ syntax, document }) =>
    [syntax.input, syntax.output].flatMap(({ succinct, arguments: given }) => {
      const names = given.flatMap(({ type }) => namesIn(type));
      return [...names, ...(succinct ? [succinct] : [])].map((name) => ({
        name,
        document,
      }));
    }),
  );
  const typed = [...aliases, ...fields].flatMap(({ syntax, document }) =>
    namesIn(syntax.type).map((name) => ({ name, document })),
  );
  return [...typed, ...messages];
}

function isDeprecated(syntax: {
  readonly annotations: readonly Annotation[];
}): boolean {
  return findAnnotation(syntax, "deprecated") !== undefined;
}
