import { lookUpLoosely } from "../../2-check/program/reach.js";
import { metadataValue } from "../../2-check/notation/metadata.js";
import { namesIn } from "../../2-check/program/nodes.js";
import type { DeclaredType, Program } from "../../2-check/program/program.js";
import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** In a contract with services, a type is part of a message. */
export const typeUnused: LintRule = {
  code: "type-unused",
  category: "standard",
  find: (program) => {
    if (program.nodes.services.length === 0) return [];
    const used = findUsed(program);
    const all = new Set(
      [...program.scopes.values()].flatMap(({ types }) => types),
    );
    return [...all]
      .filter((type) => !used.has(type))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `no method uses \`${name.text}\``,
        help: "remove it, or use it",
      }));
  },
};

function findUsed(program: Program): ReadonlySet<DeclaredType> {
  const used = new Set<DeclaredType>();
  const use = (name: string, { path }: DeclaredType["document"]): void => {
    const scope = program.scopes.get(path);
    const type = scope && lookUpLoosely(scope, name);
    if (type) used.add(type);
  };
  for (const { syntax, document } of program.nodes.messages) {
    if (syntax.succinct) use(syntax.succinct.text, document);
    for (const { type } of syntax.arguments) {
      for (const { text } of namesIn(type)) use(text, document);
    }
  }
  // Credentials and base addresses are used by being there.
  for (const { syntax, document } of program.nodes.aliases) {
    const isNotation = ["header", "base"].some(
      (key) => metadataValue(syntax, key) !== undefined,
    );
    if (isNotation) use(syntax.name.text, document);
  }
  // Sets visit what is added meanwhile.
  for (const { syntax, document } of used) {
    if (syntax.kind === "enum") continue;
    const types = syntax.kind === "alias" ? [syntax] : syntax.fields;
    for (const { type } of types) {
      for (const { text } of namesIn(type)) use(text, document);
    }
    if (syntax.kind === "alias") {
      use(metadataValue(syntax, "known") ?? "", document);
    }
  }
  return used;
}
