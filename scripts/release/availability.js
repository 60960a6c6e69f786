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

/** The page that names the repository, whose action is in GitHub's workflows. */
export const actionPage = "docs/ci.md";

const note = /^> ridlkit is not on npm .*\n\n/mu;

/**
 * Removes how to get ridlkit until it is published, from the source and the pages,
 * and names the repository in the workflow.
 */
export function makeAvailable(root) {
  if (!existsSync(join(root, source))) return;
  change(source, (text) => text.replace(/=\s*".*";\n$/u, '= "";\n'));
  for (const page of pages) {
    change(page, (text) =>
      text
        .replace(note, "")
        .replace(", but has no users yet", "")
        .replace(" The first release is next.", ""),
    );
  }
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const { repository } = JSON.parse(manifest);
  // A release without a repository is refused later.
  const [, name = "<owner>/ridlkit"] =
    /github\.com[/:](.+?)(?:\.git)?$/u.exec(repository?.url ?? "") ?? [];
  change(actionPage, (text) =>
    text.replace(note, "").replace("<owner>/ridlkit", () => name),
  );

  function change(path, edit) {
    const file = join(root, path);
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  }
}
