import type { TypeExpression, Word } from "../../1-parse/ast.js";
import { adviseType } from "../../1-parse/foreign-words.js";
import { isScalarName, scalars } from "../../ir/scalars.js";
import type { Declared, Program } from "../program/program.js";
import { lookUpIgnoringCase } from "../program/reach.js";
import { createSuggester } from "../report/did-you-mean.js";
import type { Finding } from "../report/finding.js";
import { locate } from "../report/locate.js";
import type { Rule } from "./rule.js";

/** Every type must be a core type, or be declared here or in an import. */
export const unknownType: Rule = (program) => {
  const { nodes } = program;
  const keys = new Set<TypeExpression>();
  const names: Name[] = [];
  for (const { syntax, document } of nodes.typeExpressions) {
    // Type expressions list a map before its key.
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

/** A name that refers to a type. */
interface Name extends Declared<Word> {
  /** Whether webrpc ignores case here. */
  readonly isLoose: boolean;
}

function checkName(
  { syntax, document, isLoose }: Name,
  { scopes }: Program,
  suggest: ReturnType<typeof createSuggester>,
): readonly Finding[] {
  const scope = scopes.get(document.path);
  const { text } = syntax;
  if (text === "" || !scope?.isComplete) return [];
  const found = isLoose
    ? lookUpIgnoringCase(scope, text)
    : scope.typesByName.get(text);
  // A core type as the body of a message is reported as `invalid-succinct`.
  if (found || isScalarName(text)) return [];
  const names = [...Object.keys(scalars), ...scope.typesByName.keys()];
  const advice = adviseType(text);
  const help = `declare it with \`struct ${text}\` or \`type ${text}: string\`, or import a document that does`;
  return [
    {
      document,
      at: syntax,
      message: `type \`${text}\` is not declared`,
      help: advice ?? help,
      ...(advice === undefined &&
        suggest(text, names, locate(document, syntax))),
    },
  ];
}
