import { describe, expect, test } from "vitest";
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

describe("only the wire decides", () => {
  const parts =
    "body|headers|path|query|requestBody|responseHeaders|status|statuses|statusOutput|verb";
  /** What the wire decides, and code that decides it again. */
  const questions = [
    {
      title: "what a request and a response contain, and at which address",
      pattern: new RegExp(
        `\\broute\\.(?:${parts})\\b|\\{[^{}]*\\b(?:${parts})\\b[^{}]*\\} = (?:\\w+\\.)*route;|\\bRestRoute\\b`,
        "u",
      ),
      planted: [
        "const [first] = method.route.statuses;",
        'const isRead = route.verb === "GET";',
        "const { path, verb } = method.route;",
      ],
    },
    {
      title: "where a field or a credential is carried",
      // Folds over slots and `byPlace` answer for all places.
      pattern:
        /\bplace [!=]== "\w|switch \((?:\w+\.)*place\)|\}\[(?:\w+\.)*place\]/u,
      planted: [
        'const isCookie = credential.place === "cookie";',
        "switch (slot.place) {",
        'const word = { header: "a", query: "b", cookie: "c" }[place];',
      ],
    },
    {
      title: "what is text and what is JSON in an address",
      pattern:
        /\? "json" : "text"|\? "text" : "json"|\bisText: (?!textFormOf\().*[!=]==/u,
      planted: [
        'return quoteString(isNumber ? "json" : "text");',
        'return { isText: value.kind === "enum" };',
      ],
    },
    {
      title: "which statuses mean success",
      pattern: /status\)? (?:>=? (?:199|200)|<=? (?:299|300))\b/u,
      planted: [
        "const isDone = answer.status >= 200 && answer.status < 300;",
        "if (Number(status) < 300) return;",
      ],
    },
    {
      title: "which webhooks name their method",
      pattern: /\bmethods\.length (?:[!=]==|[<>]=?) [12]\b/u,
      planted: ["const isAlone = methods.length === 1;"],
    },
    {
      title: "what an address matches",
      pattern:
        /\b(?:segments|rivals)\.(?:every|some)\(|segments\.length [!=]==|\bparsePathTemplate\(|\bPathSegment\b(?!,)|\.verb\} \$\{[\w.]*shape\}|\bshape [!=]==|\.replace(?:All)?\(\/\\\{\[\^\{\}\]/u,
      planted: [
        "return own.segments.every((each, index) => fits(each, index));",
        "return other.template.segments.length === length;",
        "covers(parsePathTemplate(other.path).segments, segments);",
        "function coversSegment(wide: PathSegment, narrow: PathSegment) {",
        "const key = `${address.verb} ${address.shape}`;",
        "return then.address?.shape === now.address?.shape;",
        'return path.replace(/\\{[^{}]*\\}/gu, "{}");',
      ],
    },
  ];
  const files = ["generator", "tools", "cli"].flatMap((folder) =>
    readSourceFiles(folder),
  );
  // These stages make contracts, and importers write RIDL.
  const makers = /^(?:generator\/(?:[123]-|ir\/|http\/)|tools\/import\/)/u;

  test.each(questions)("$title", ({ pattern, planted }) => {
    expect(planted.filter((line) => !pattern.test(line))).toEqual([]);
    const faults = files
      .filter(({ path, text }) => !makers.test(path) && pattern.test(text))
      .flatMap(({ path, text }) =>
        text
          .split("\n")
          .filter((line) => pattern.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(faults).toEqual([]);
  });
});
