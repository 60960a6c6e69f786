import { readdirSync } from "node:fs";
import { expect } from "vitest";

/** The folder with the reference pages. */
export const referenceFolder = "docs/reference";

/**
 * Compares derived pages with those in a folder, which must contain no others.
 * `npm run golden:update test/reference` writes them.
 *
 * Input: the contents of files by name, such as `retry.md`.
 */
export async function expectPages(
  folder: string,
  pages: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [name, text] of pages) {
    await expect(text).toMatchFileSnapshot(`../../${folder}/${name}`);
  }
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  expect(names.filter((name) => !pages.has(name))).toEqual([]);
}
