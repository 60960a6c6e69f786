import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runtimeEntries } from "../support/runtime-entries.js";
import { listSourceFiles, root } from "./support/source-files.js";

/**
 * The files that may export types with the same names, because the names mean
 * the same in the syntax tree and in the contract.
 */
const shared = ["generator/1-parse/ast.ts", "generator/ir/contract.ts"];

/** Prettier puts every top-level declaration at the start of a line. */
const exportedType =
  /^export (?:abstract )?(?:class|interface|type) (?<name>\w+)/gmu;

test("each exported type name of the generator has only one meaning", () => {
  const owners = new Map<string, string[]>();
  for (const path of ["generator", "tools", "cli"].flatMap(listSourceFiles)) {
    const text = readFileSync(join(root, path), "utf8");
    for (const [, name = ""] of text.matchAll(exportedType)) {
      owners.set(name, [...(owners.get(name) ?? []), path]);
    }
  }
  const repeated = [...owners]
    .filter(([, paths]) => paths.length > 1 && String(paths) !== String(shared))
    .map(([name]) => name);
  expect(owners.size).toBeGreaterThan(500);
  expect(repeated).toEqual([]);
});

/** Returns the files that declare the exports of a module, by name. */
function originsOf(path: string): ReadonlyMap<string, string> {
  const text = readFileSync(path, "utf8");
  const origins = new Map<string, string>();
  for (const [, name = ""] of text.matchAll(exported)) origins.set(name, path);
  for (const [, list, from = ""] of text.matchAll(reexported)) {
    const target = originsOf(join(dirname(path), from.replace(/js$/u, "ts")));
    const names = list?.match(/\w+(?=\s*(?:,|$))/gu) ?? target.keys();
    for (const name of names) origins.set(name, target.get(name) ?? from);
  }
  return origins;
}

const exported =
  /^export (?:async )?(?:class|const|function\*?|interface|type) (\w+)/gmu;

/** Matches `export { a, type B } from "./c.js"` and `export * from "./c.js"`. */
const reexported = /^export (?:type )?(?:\{([^}]*)\}|\*) from "(\.[^"]+)";/gmu;

test("a name that the runtime exports has only one meaning", () => {
  const owners = new Map<string, Set<string>>();
  const entries = Object.entries(runtimeEntries);
  for (const [specifier, path] of entries) {
    // These entries have the names that webrpc's generated clients export.
    if (specifier.includes("/webrpc")) continue;
    for (const [name, origin] of originsOf(path)) {
      owners.set(name, (owners.get(name) ?? new Set()).add(origin));
    }
  }
  const repeated = [...owners].filter(([, paths]) => paths.size > 1);
  expect(owners.size).toBeGreaterThan(200);
  expect(repeated).toEqual([]);
});
