import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository, whose pages the site shows. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(
  /\/$/u,
  "",
);

/** Folder for what the build makes on its way. */
export const work = `${root}/docs/site/.work`;

/** Patterns of Markdown that is no page. */
export const noPages = [
  "docs/site/**",
  "examples/**",
  "generated/**",
  "platform/test/**",
  "test/!(conformance)/**",
];

/**
 * The address of a page on the site. Input: its path in the repository, e.g.
 * `docs/decisions/0001-one-way-pipeline.md` or `README.md`.
 */
export function sitePath(path) {
  return path
    .replace(/^docs\//u, "")
    .replace(/(^|\/)README\.md$/u, "$1index.md");
}

/** The Markdown files of a folder of the repository, by path. */
export function pagesIn(folder) {
  return readdirSync(posix.join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => posix.join(folder, name));
}

/** The pages of the same folder that the list items of a page lead to, by path. */
export function linksOf(path) {
  const text = readFileSync(posix.join(root, path), "utf8");
  const links = text.matchAll(/^- \[.*?\]\(([\w-]+\.md)\)/gmu);
  return [...links].map(([, name]) => posix.join(posix.dirname(path), name));
}

/** The first heading of a page, as plain text. */
export function titleOf(path) {
  const text = readFileSync(posix.join(root, path), "utf8");
  const [, title] = /^# (.+)$/mu.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} has no title`);
  return title.replaceAll("`", "");
}
