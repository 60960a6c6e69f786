import type { Word } from "../../1-parse/ast.js";
import type {
  LoadedDocument,
  LoadedImport,
} from "../../1-parse/load/load-documents.js";
import { metadataValue } from "../../2-check/notation/metadata.js";
import type { Program } from "../../2-check/program/program.js";
import { locate } from "../../2-check/report/report.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";

/**
 * An import brings something that is used. Errors and services are used by
 * being there; documents that only import are meant to pass everything on.
 */
export const importUsed: LintRule = {
  code: "import-used",
  category: "minimal",
  find: (program) => {
    const mentioned = findMentioned(program);
    return program.documents.flatMap((document) => {
      const declares = document.syntax.items.some(
        ({ kind }) => kind !== "import" && kind !== "header",
      );
      if (!declares) return [];
      return document.imports.flatMap((each) =>
        findUnused(
          program,
          document,
          each,
          mentioned.get(document) ?? new Set(),
        ),
      );
    });
  },
};

function findUnused(
  program: Program,
  document: LoadedDocument,
  { syntax, path }: LoadedImport,
  mentioned: ReadonlySet<string>,
): readonly Finding[] {
  const scope = program.scopes.get(path);
  if (scope === undefined) return [];
  const types = new Set(scope.types.map((type) => type.syntax.name.text));
  const complain = (place: Word): Finding => ({
    location: locate(document, place),
    message: `nothing of \`${place.text}\` is used`,
    help: "remove the import",
  });
  if (syntax.members.length > 0) {
    return syntax.members
      .filter(({ text }) => types.has(text) && !mentioned.has(text))
      .map((member) => ({
        ...complain(member),
        message: `\`${member.text}\` is imported and not used`,
        help: "remove it from the import",
      }));
  }
  const isUsed =
    scope.services.length > 0 ||
    scope.errors.length > 0 ||
    [...types].some((name) => mentioned.has(name));
  return isUsed ? [] : [complain(syntax.path)];
}

/** The type names that a document mentions, and those who import it. */
function findMentioned(
  program: Program,
): ReadonlyMap<LoadedDocument, ReadonlySet<string>> {
  const own = new Map<LoadedDocument, Set<string>>(
    program.documents.map((document) => [document, new Set()]),
  );
  const { nodes } = program;
  for (const { syntax, document } of nodes.typeExpressions) {
    if (syntax.kind === "name") own.get(document)?.add(syntax.name.text);
  }
  for (const { syntax, document } of nodes.messages) {
    if (syntax.succinct) own.get(document)?.add(syntax.succinct.text);
  }
  for (const { syntax, document } of nodes.aliases) {
    own.get(document)?.add(metadataValue(syntax, "known") ?? "");
  }
  // Documents stand before those that import them: from the last to the first
  // everybody hands on what is wanted.
  const byPath = new Map(program.documents.map((each) => [each.path, each]));
  for (const document of program.documents.toReversed()) {
    for (const { path } of document.imports) {
      const target = own.get(byPath.get(path) ?? document);
      for (const name of own.get(document) ?? []) target?.add(name);
    }
  }
  return own;
}
