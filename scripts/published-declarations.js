import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the paths of the declarations that users of a package can see: those of
 * its entries, and what these import. Input: the paths of the entries.
 */
export function publishedDeclarations(entries) {
  const paths = new Set(entries);
  for (const path of paths) {
    for (const [, specifier] of readFileSync(path, "utf8").matchAll(
      /(?:from |import\()"(\.[^"]+)"/g,
    )) {
      paths.add(join(path, "..", specifier.replace(/\.js$/, ".d.ts")));
    }
  }
  return paths;
}
