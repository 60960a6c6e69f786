import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  objectMembers,
  reservedNames,
} from "../../generator/4-emit/typescript/names/reserved.js";
import {
  catalog,
  categoryOf,
  isLintCode,
  lintCategories,
  type LintCategory,
} from "../../generator/diagnostics/catalog.js";
import { globalNames, memberNames } from "../../generator/lint/rules/names.js";
import { checkTexts, lintFor } from "../diagnostics/check-texts.js";
import { drawSome } from "../support/draw-some.js";
import { lintText } from "./lint-text.js";

/** Returns whether a code's test case has a finding with a fix. */
function hasFix(code: string): boolean {
  const folder = join("test/diagnostics", code);
  const names = readdirSync(folder).filter((name) => name.endsWith(".ridl"));
  const texts = new Map(
    names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  return checkTexts(texts, ["input.ridl"], lintFor(code)).some(
    ({ fix }) => fix,
  );
}

/** Returns a category's rows of the table in docs/lint.md. */
function rowsOf(category: LintCategory): readonly string[] {
  return Object.entries(catalog)
    .filter(([code]) => categoryOf(code) === category)
    .map(
      ([code, text]) =>
        `| [${code}](diagnostics/${code}.md) | ${category} | ${text} | ${hasFix(code) ? "yes" : ""} |`,
    );
}

test("docs/lint.md lists the rules", async () => {
  const page = readFileSync("docs/lint.md", "utf8");
  const rows = lintCategories.flatMap(rowsOf).join("\n");
  const filled = page.replace(
    /(?<=^\| code .*\n\| --- .*\n)(?:\| .*\n)+/mu,
    () => `${rows}\n`,
  );
  await expect(filled).toMatchFileSnapshot("../../docs/lint.md");
});

test("import-used counts the uses of documents that import the importer", () => {
  const codesFor = (fields: string): readonly string[] => {
    const texts = {
      "a.ridl": "webrpc = v1\ntype A: string\n",
      "b.ridl": 'webrpc = v1\nimport "a.ridl"\ntype B: string\n',
      "input.ridl": `webrpc = v1\nname = c\nversion = v1.0.0\nimport "b.ridl"\nservice C\n  - Get(${fields})\n`,
    };
    const documents = new Map(Object.entries(texts));
    const options = lintFor("import-used");
    return checkTexts(documents, ["input.ridl"], options).map(
      ({ code }) => code,
    );
  };
  expect(codesFor("a: A, b: B")).toEqual([]);
  expect(codesFor("b: B")).toEqual(["import-used"]);
});

test.each([
  'header = X-Key\n  + error = Denied\nerror 1 Denied "denied" HTTP 401',
  "base = https://a.example",
])(
  "import-used counts `%s`, without which methods would change",
  (notation) => {
    const findings = (listed: string) => {
      const texts = {
        "a.ridl": `webrpc = v1\ntype A: string\n  + ${notation}\ntype B: string\n`,
        "input.ridl": `webrpc = v1\nname = c\nversion = v1.0.0\nimport "a.ridl"${listed}\nservice C\n  - Get()\n`,
      };
      const documents = new Map(Object.entries(texts));
      return checkTexts(documents, ["input.ridl"], lintFor("import-used"))
        .filter(({ code }) => code === "import-used")
        .map(({ message }) => message);
    };
    expect(findings("")).toEqual([]);
    expect(findings("\n  - A")).toEqual([]);
    expect(findings("\n  - B")).toEqual(["`B` is imported but not used"]);
  },
);

describe("reserved-word", () => {
  test("includes the names that generated code cannot give to types", () => {
    const types = [...reservedNames].filter(
      (name) => /^[A-Z]/u.test(name) && !/Error$/u.test(name),
    );
    expect([...globalNames].sort()).toEqual(
      [...types, "Error", "TypeError"].sort(),
    );
  });

  test("includes the names that generated code cannot give to methods", () => {
    const names = [...objectMembers].filter((name) => name !== "__proto__");
    expect([...memberNames].sort()).toEqual(names.sort());
  });
});

describe("error-unused", () => {
  const host = (name: string, imports: string, errors: string) =>
    `webrpc = v1\nname = ${name}\nversion = v1.0.0\n${imports}service ${name}\n  - Get${name}() ${errors}\n`;
  const unused = (north: string): readonly string[] => {
    const texts = new Map([
      ["north.ridl", north],
      ["south.ridl", host("South", "", "")],
      [
        "errors.ridl",
        'webrpc = v1\nerror 1 Gone "gone" HTTP 410\nerror 2 Late "late" HTTP 408\n',
      ],
      ["services.ridl", host("Shared", "", "")],
    ]);
    return checkTexts(
      texts,
      ["north.ridl", "south.ridl"],
      lintFor("error-unused"),
    ).map(({ message }) => message);
  };
  const all = 'import "errors.ridl"\n';
  const gone = `${all}  - Gone\n`;

  test("is about the errors of each host", () => {
    const late = ["no method lists the error `Late`"];
    expect(unused(host("North", all, "errors Gone"))).toEqual(late);
    expect(unused(host("North", gone, ""))).toEqual(late);
    expect(unused(host("North", all, ""))).toEqual([]);
  });

  test("considers imported services", () => {
    const imports = `${all}import "services.ridl"\n`;
    expect(unused(host("North", imports, "errors Gone"))).toEqual([]);
  });
});

describe("all rules together", () => {
  const documents = ["docs", "examples", "schema", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ridl"))
      .map((path) => join(folder, path)),
  );

  test("run on every document in docs, examples, schema, and test without throwing", () => {
    expect(documents.length).toBeGreaterThan(100);
    for (const path of drawSome(documents, 4)) {
      const texts = { [path]: readFileSync(path, "utf8") };
      for (const { code } of lintText(texts, { categories: lintCategories })) {
        expect(catalog).toHaveProperty([code]);
      }
    }
  });

  test("report nothing about a document with errors", () => {
    const broken = "webrpc = v1\n\nstruct a\n  - B_c: Nope\n";
    const found = lintText(broken, { categories: lintCategories });
    expect(found.filter(({ code }) => isLintCode(code))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });
});
