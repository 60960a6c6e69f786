import { isScalarName, scalars } from "../../ir/scalars.js";
import { lookUpLoosely } from "../program/reach.js";
import { locate, reportError } from "../report/report.js";
import { createSuggester } from "../report/did-you-mean.js";
import type { Declared, Program } from "../program/program.js";
import type { TypeExpression, Word } from "../../1-parse/ast.js";
import { adviseType } from "../../1-parse/foreign-words.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Rule } from "./rule.js";

/** Every type is a core type, or declared here or in an import. */
export const unknownType: Rule = (program) => {
  const { nodes } = program;
  const keys = new Set<TypeExpression>();
  const names: Name[] = [];
  for (const { syntax, document } of nodes.typeExpressions) {
    // A map stands before its key.
    if (syntax.kind === "map") keys.add(syntax.key);
    if (syntax.kind !== "name" || isScalarName(syntax.name.text)) continue;
    names.push({ syntax: syntax.name, document, isLoose: keys.has(syntax) });
  }
  const bodies = nodes.messages.flatMap(({ syntax, document }) =>
    syntax.succinct ? { syntax: syntax.succinct, document, isLoose: true } : [],
  );
  const suggest = createSuggester();
  return [...names, ...bodies].flatMap((name) =>
    checkName(name, program, suggest),
  );
};

/** A name that stands for a type. */
interface Name extends Declared<Word> {
  /** Where webrpc does not look at case. */
  readonly isLoose: boolean;
}

function checkName(
  { syntax, document, isLoose }: Name,
  { scopes }: Program,
  suggest: ReturnType<typeof createSuggester>,
): readonly Diagnostic[] {
  const scope = scopes.get(document.path);
  if (syntax.text === "" || !scope?.isComplete) return [];
  const found = isLoose
    ? lookUpLoosely(scope, syntax.text)
    : scope.typesByName.get(syntax.text);
  // A core type as the body of a message is `invalid-succinct`.
  if (found || isScalarName(syntax.text)) return [];
  const place = locate(document, syntax);
  const names = [...Object.keys(scalars), ...scope.typesByName.keys()];
  const advice = adviseType(syntax.text);
  const declare = `declare it, as in \`struct ${syntax.text}\` or \`type ${syntax.text}: string\`, or import a document that does`;
  const detail =
    advice === undefined
      ? { help: declare, ...suggest(syntax.text, names, place) }
      : { help: advice };
  return [
    reportError(
      "unknown-type",
      place,
      `type \`${syntax.text}\` is not declared`,
      detail,
    ),
  ];
}
