import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const source = "cli/system/availability.ts";

/** The pages that say how to get ridlkit until it is published. */
export const pages = [
  "README.md",
  "docs/quick-start.md",
  "docs/guides/README.md",
  "docs/site/home.md",
];

/** Removes how to get ridlkit until it is published, from the source and the pages. */
export function makeAvailable(root) {
  if (!existsSync(join(root, source))) return;
  change(source, (text) => text.replace(/=\s*".*";\n$/u, '= "";\n'));
  for (const page of pages) {
    change(page, (text) =>
      text
        .replace(/^> ridlkit is not on npm .*\n\n/mu, "")
        .replace(", but has no users yet", "")
        .replace(" The first release is next.", ""),
    );
  }

  function change(path, edit) {
    const file = join(root, path);
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  }
}
