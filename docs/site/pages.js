import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, whose pages the site shows. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(
  /\/$/u,
  "",
);

/** The folder for intermediate files of the build. */
export const work = `${root}/docs/site/.work`;

/** The home page of the site. */
export const home = "docs/site/home.md";

/** Patterns of Markdown files that are not pages of the site. */
export const noPages = [
  "docs/site/!(home.md)",
  "docs/site/*/**",
  "examples/**",
  "generated/**",
  "apps/playground/**",
  "platform/test/**",
  // A copy, for the package.
  "skills/**",
  "test/!(behavior|frameworks|interop)/**",
  "test/behavior/!(conformance|hosts)/**",
  "test/interop/!(tools)/**",
];

/**
 * Returns the path of a page on the site, e.g. `decisions/pipeline.md` or
 * `guides/index.md`. Input: its path in the repository, e.g.
 * `docs/decisions/pipeline.md`.
 */
export function sitePath(path) {
  if (path === home) return "index.md";
  if (path === "README.md") return "overview.md";
  return path
    .replace(/^docs\//u, "")
    .replace(/(^|\/)README\.md$/u, "$1index.md");
}

/**
 * Returns the paths of the Markdown files in a folder of the repository, in order.
 */
export function pagesIn(folder) {
  return readdirSync(posix.join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => posix.join(folder, name));
}

/**
 * Returns the headings of a page whose list items link to pages in the same
 * folder, each with the paths of these pages.
 */
export function sectionsOf(path) {
  const text = readFileSync(posix.join(root, path), "utf8");
  return text
    .split(/^##? /mu)
    .map((section) => [
      section.split("\n", 1)[0],
      [...section.matchAll(/^- \[.*?\]\(([\w-]+\.md)\)/gmu)].map(([, name]) =>
        posix.join(posix.dirname(path), name),
      ),
    ])
    .filter(([, pages]) => pages.length > 0);
}

/**
 * Returns the first heading of a page, without backticks. Errors: throws if the
 * page has none.
 */
export function titleOf(path) {
  const text = readFileSync(posix.join(root, path), "utf8");
  const [, title] = /^# (.+)$/mu.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} has no title`);
  return title.replaceAll("`", "");
}
