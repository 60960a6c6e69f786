import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listSourceFiles, root } from "./support/source-files.js";

/**
 * The files that may export types with the same names, because the names mean
 * the same in the syntax tree and in the contract.
 */
const twins = ["generator/1-parse/ast.ts", "generator/ir/contract.ts"];

/** Prettier puts every top-level declaration at the start of a line. */
const exportedType =
  /^export (?:abstract )?(?:class|interface|type) (?<name>\w+)/gmu;

test("each exported type name of the generator has only one meaning", () => {
  const owners = new Map<string, string[]>();
  for (const path of listSourceFiles("generator")) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, name = ""] of text.matchAll(exportedType)) {
      owners.set(name, [...(owners.get(name) ?? []), path]);
    }
  }
  const repeated = [...owners]
    .filter(([, paths]) => paths.length > 1 && String(paths) !== String(twins))
    .map(([name]) => name);
  expect(owners.size).toBeGreaterThan(500);
  expect(repeated).toEqual([]);
});
