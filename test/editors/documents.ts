import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "../../generator/1-parse/ast.js";
import { parseRidl } from "../../generator/1-parse/document.js";
import type { Marked } from "./read-tree.js";

const root = join(import.meta.dirname, "../..");

/** The paths of all RIDL files in some folders of the repository. */
export function ridlIn(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ridl"))
      .filter((path) => !/node_modules|\.work/u.test(path))
      .map((path) => join(folder, path)),
  );
}

/**
 * A document that ends with an empty import, which adds nothing to the tree.
 */
export const traceless = "test/language/regressions/imports-of-itself.ridl";

/**
 * Parses a file. `isBroken` says whether it has errors, and `isClean` that it has
 * neither errors nor warnings.
 */
export function parse(path: string): {
  document: Document;
  isBroken: boolean;
  isClean: boolean;
} {
  const all = readFileSync(join(root, path), "utf8");
  // The parser stops at a NUL character.
  const text = all.split("\0")[0] ?? "";
  const { value, diagnostics } = parseRidl({ path, text });
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  return { document: value, isBroken, isClean: diagnostics.length === 0 };
}

/** Describes pieces of a text in their order, one a line. */
export function describeAll(text: string, marked: readonly Marked[]): string[] {
  return marked
    .toSorted((a, b) => a.start - b.start)
    .map(
      ({ what, start, end }) =>
        `${start}: ${what} ${text.slice(start, end).trimEnd()}`,
    );
}
