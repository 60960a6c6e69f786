import type { Word } from "../../1-parse/ast.js";
import { adviseType } from "../../1-parse/foreign-words.js";
import { isScalarName, scalars } from "../../ir/scalars.js";
import type { Declared, Program } from "../program/program.js";
import { lookUpLoosely } from "../program/reach.js";
import { createSuggester } from "../report/did-you-mean.js";
import { type Finding, errorAt } from "../report/finding.js";
import { locate } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Every type is a core type, or declared here or in an import. */
export const unknownType: Rule = (program) => {
  const { maps, messages, typeNames } = program.nodes;
  // Where webrpc does not look at case.
  const loose = new Set<Word>();
  for (const { key } of maps.map(({ syntax }) => syntax)) {
    if (key.kind === "name") loose.add(key.name);
  }
  const bodies = messages.flatMap(({ syntax: { succinct }, document }) => {
    if (succinct === undefined) return [];
    loose.add(succinct);
    return { syntax: succinct, document };
  });
  const suggest = createSuggester();
  return [...typeNames, ...bodies].flatMap((name) =>
    checkName(name, loose.has(name.syntax), program, suggest),
  );
};

function checkName(
  { syntax, document }: Declared<Word>,
  isLoose: boolean,
  { scopes }: Program,
  suggest: ReturnType<typeof createSuggester>,
): readonly Finding[] {
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
  return [errorAt(place, `type \`${syntax.text}\` is not declared`, detail)];
}
