import { readFileSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { compareImport, type Comparison } from "./compare-import.js";

/** Compares a document on disk with the contract that is imported from it. */
export function compareFile(
  path: string,
  options: { readonly count: number; readonly seed: number },
): Comparison | null {
  const folder = dirname(path);
  const parsed = new Map<string, unknown>();
  const read = (file: string): unknown => {
    if (!parsed.has(file)) {
      const text = readFileSync(join(folder, file), "utf8");
      parsed.set(
        file,
        /^\s*\{/u.test(text)
          ? JSON.parse(text)
          : parse(text, {
              maxAliasCount: -1,
              uniqueKeys: false,
              logLevel: "silent",
            }),
      );
    }
    return parsed.get(file);
  };
  const text = (file: string) =>
    existsSync(join(folder, file))
      ? { text: readFileSync(join(folder, file), "utf8") }
      : { fault: "it does not exist" };
  return compareImport(basename(path), { text, parsed: read }, options);
}
