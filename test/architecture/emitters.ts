import { expect, test } from "vitest";
import { readSourceFiles } from "./support/source-files.js";

const root = "generator/4-emit/typescript/";

/**
 * The folders of the TypeScript target that each of these three folders may
 * import, in addition to itself. All other folders of the target may import
 * these three.
 */
const foundations: Readonly<Record<string, readonly string[]>> = {
  text: [],
  names: [],
  plan: ["names", "text"],
};

/** Returns `plan` for a file in `generator/4-emit/typescript/plan`. */
function folderOf(path: string): string {
  return path.slice(root.length).split("/")[0] ?? "";
}

test("TypeScript emitters import only their own folder, plan, names, and text", () => {
  const files = readSourceFiles(root.slice(0, -1)).filter(({ path }) =>
    path.slice(root.length).includes("/"),
  );
  const faults = files.flatMap(({ path, imports }) => {
    const own = folderOf(path);
    const allowed = foundations[own] ?? Object.keys(foundations);
    return imports.flatMap((each) => {
      if (each.path === null || !each.path.startsWith(root)) return [];
      const other = folderOf(each.path);
      return other === own || allowed.includes(other)
        ? []
        : [`${path} imports ${each.path}`];
    });
  });
  expect(new Set(files.map(({ path }) => folderOf(path))).size).toBeGreaterThan(
    8,
  );
  expect(faults).toEqual([]);
});

test("OpenAPI, JSON Schema, and Markdown do not depend on the TypeScript target", () => {
  const files = ["openapi", "json-schema", "markdown"].flatMap((name) =>
    readSourceFiles(`generator/4-emit/${name}`),
  );
  const faults = files.flatMap(({ path, imports }) =>
    imports
      .filter((each) => each.path?.startsWith(root))
      .map((each) => `${path} imports ${each.path}`),
  );
  expect(files.length).toBeGreaterThan(8);
  expect(faults).toEqual([]);
});

test("only the wire decides what a request and a response contain", () => {
  const folders = ["generator", "tools", "cli"].flatMap((folder) =>
    readSourceFiles(folder),
  );
  // These stages make contracts, and importers write RIDL.
  const makers = /^(?:generator\/(?:[123]-|ir\/|wire\/)|tools\/import\/)/u;
  const parts =
    "body|headers|query|requestBody|responseHeaders|status|statuses|statusOutput";
  const question = new RegExp(
    `\\broute\\.(?:${parts})\\b|\\{[^{}]*\\b(?:${parts})\\b[^{}]*\\} = (?:\\w+\\.)*route;|\\bRestRoute\\b`,
    "gu",
  );
  const found = folders.map(({ path, text }) => ({
    path,
    questions: text.match(question) ?? [],
  }));
  expect(found.some(({ questions }) => questions.length > 0)).toBe(true);
  const faults = found.filter(
    ({ path, questions }) => questions.length > 0 && !makers.test(path),
  );
  expect(faults).toEqual([]);
});
