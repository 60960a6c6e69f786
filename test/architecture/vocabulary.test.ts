import ts from "typescript-5.9";
import { expect, test } from "vitest";
import { findAll, readSourceFiles } from "./support/source-files.js";

/** Names that both the syntax tree and the contract have, with the same meaning. */
const twins = ["generator/1-parse/ast.ts", "generator/ir/contract.ts"];

/** Names with two meanings that still need to be separated. */
const ambiguous: readonly string[] = [];

test("an exported type name has one meaning in the generator", () => {
  const owners = new Map<string, string[]>();
  for (const { path, syntax } of readSourceFiles("generator")) {
    for (const name of findAll(syntax, nameOfExportedType)) {
      owners.set(name, [...(owners.get(name) ?? []), path]);
    }
  }
  const repeated = [...owners]
    .filter(([, paths]) => paths.length > 1 && String(paths) !== String(twins))
    .map(([name]) => name);
  expect(repeated.sort()).toEqual(ambiguous);
});

function nameOfExportedType(node: ts.Node): string | null {
  const isType =
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassDeclaration(node);
  const isExported =
    isType &&
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported === true ? (node.name?.text ?? null) : null;
}
