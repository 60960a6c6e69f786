import { describe, expect, test } from "vitest";
import { checkAll, openMarked } from "./support/marked.js";
import { applyEdits } from "./support/apply-edits.js";
import { shop, shopAt } from "./support/shop.js";

const head = "webrpc = v1\nname = a\nversion = v1.0.0\n\n";

describe("format", () => {
  const text = `${head}struct A\n- id:   uint32\n\n\nstruct B\n- id:   uint32\n`;

  test("writes a document in canonical form", () => {
    const { service, texts } = openMarked({ "a.ridl": text });
    const after = applyEdits(texts, service.format("a.ridl"));
    expect(after.get("a.ridl")).toBe(
      `${head}struct A\n  - id: uint32\n\nstruct B\n  - id: uint32\n`,
    );
    service.setDocument("a.ridl", after.get("a.ridl") ?? "");
    expect(service.format("a.ridl")).toEqual([]);
  });

  test("changes only the declarations in a range", () => {
    const { service, texts } = openMarked({ "a.ridl": text });
    const start = text.indexOf("struct B");
    const edits = service.format("a.ridl", { start, end: start + 1 });
    expect(applyEdits(texts, edits).get("a.ridl")).toBe(
      `${head}struct A\n- id:   uint32\n\n\nstruct B\n  - id: uint32\n`,
    );
  });

  test.each(["\n", "\r\n"])(
    "keeps blank lines at both ends of a range, with line breaks %j",
    (lineBreak) => {
      const above = `${head}struct A\n  - id: uint32\n\n# Section: orders\n`;
      const b = "struct B\n- id:   uint32\n";
      const below = "\n\n# Section: users\n\nstruct C\n  - id: uint32\n";
      const whole = `${above}\n${b}${below}`.replaceAll("\n", lineBreak);
      const { service, texts } = openMarked({ "a.ridl": whole });
      const start = above.replaceAll("\n", lineBreak).length;
      const end = whole.indexOf("# Section: users") - 1;
      const edits = service.format("a.ridl", { start, end });
      expect(applyEdits(texts, edits).get("a.ridl")).toBe(
        whole.replace("- id:   uint32", "  - id: uint32"),
      );
      for (const at of [start, end]) {
        const here = { start: at, end: at };
        expect(service.format("a.ridl", here)).toEqual([]);
      }
    },
  );

  test("does nothing in a range without declarations", () => {
    const { service } = openMarked({ "a.ridl": "# nothing\n" });
    expect(service.format("a.ridl", { start: 0, end: 4 })).toEqual([]);
  });

  test("aligns an error in a range with its neighbors", () => {
    const errors = 'error 1 A "a"\nerror 20 B "b"\nerror 300 C "c"\n';
    const { service, texts } = openMarked({ "a.ridl": head + errors });
    const start = head.length + errors.indexOf("error 20");
    const edits = service.format("a.ridl", { start, end: start });
    expect(applyEdits(texts, edits).get("a.ridl")).toBe(
      `${head}error 1   A "a"\nerror 20  B "b"\nerror 300 C "c"\n`,
    );
  });

  test("keeps Windows line endings", () => {
    const { service, texts } = openMarked({
      "a.ridl": text.replaceAll("\n", "\r\n"),
    });
    const after = applyEdits(texts, service.format("a.ridl")).get("a.ridl");
    expect(after?.replaceAll("\r\n", "")).not.toContain("\n");
    expect(after).toContain("struct A\r\n  - id: uint32\r\n");
  });

  test("finds text that has no meaning behind a thousand warnings", () => {
    const values = Array.from({ length: 1001 }, (_, i) => `- A${i} = -${i}\n`);
    const many = `${head}enum E: int32\n${values.join("")}`;
    const text = `${many}\nservice S\n- A()\n@later\n`;
    const { service } = openMarked({ "a.ridl": text });
    expect(service.format("a.ridl")).toEqual([]);
    // The first of two annotations hides the second one until it is removed.
    service.setDocument("a.ridl", `@early\n${text}`);
    expect(service.format("a.ridl")).toEqual([]);
    service.setDocument("a.ridl", text);
    expect(service.format("a.ridl")).toEqual([]);
    service.setDocument("a.ridl", text.replace("@later", ""));
    expect(service.format("a.ridl")).not.toEqual([]);
  });

  test.each([
    ["faults", "struct\n"],
    ["text that has no meaning", "service S\n- A()\n@later\n"],
  ])("skips documents with %s", (_, end) => {
    const { service } = openMarked({ "a.ridl": `${text}${end}` });
    expect(service.format("a.ridl")).toEqual([]);
  });
});

test("organizing imports sorts them and removes unused ones", () => {
  const { service, texts } = openMarked({
    "a.ridl": `${head}import "c.ridl"\nimport "b.ridl"\n  - Z\n  - B\n  - Y\nimport "d.ridl"\n\nstruct A\n  - b: B\n  - c: C\n  - z: Z\n`,
    "b.ridl": "webrpc = v1\ntype B: string\ntype Y: string\ntype Z: string\n",
    "c.ridl": "webrpc = v1\ntype C: string\n",
    "d.ridl": "webrpc = v1\ntype D: string\n",
  });
  const after = applyEdits(texts, service.organizeImports("a.ridl"));
  const actions = service.codeActions("a.ridl", { start: 0, end: 0 });
  expect(actions).toContainEqual(
    expect.objectContaining({
      title: "organize imports",
      edits: service.organizeImports("a.ridl"),
    }),
  );
  expect(after.get("a.ridl")).toContain(
    '\n\nimport "b.ridl"\n  - B\n  - Z\nimport "c.ridl"\n\nstruct A\n',
  );
});

test("organizing imports removes nothing while a declaration may be missing", () => {
  const { service } = openMarked({
    "a.ridl": `${head}import "b.ridl"\n\nstruct A\n  - b: B\n`,
    "b.ridl": "webrpc = v1\nstrct B\n  - id: uint32\n",
  });
  expect(service.organizeImports("a.ridl")).toEqual([]);
  const titles = service
    .codeActions("a.ridl", { start: 0, end: 0 })
    .map(({ title }) => title);
  expect(titles).not.toContain("organize imports");
});

test.each([
  [
    "above the first import",
    '#! ridl-ignore import-used later\nimport "c.ridl"',
  ],
  ["behind an import", 'import "c.ridl" #! ridl-ignore import-used later'],
])("organizing imports keeps a comment %s", (_, line) => {
  const text = `${head}${line}\nimport "b.ridl"\n\nstruct A\n  - b: B\n`;
  const { service } = openMarked({
    "a.ridl": text,
    "b.ridl": "webrpc = v1\ntype B: string\n",
    "c.ridl": "webrpc = v1\ntype C: string\n",
  });
  expect(service.organizeImports("a.ridl")).toEqual([]);
});

test("organizing imports keeps imports whose finding a comment suppresses", () => {
  const { service, texts } = openMarked({
    "a.ridl": `#! ridl-ignore import-used plugins use them\n${head}import "c.ridl"\nimport "b.ridl"\n\nstruct A\n  - b: B\n`,
    "b.ridl": "webrpc = v1\ntype B: string\n",
    "c.ridl": "webrpc = v1\ntype C: string\n",
  });
  const after = applyEdits(texts, service.organizeImports("a.ridl"));
  expect(after.get("a.ridl")).toContain('import "b.ridl"\nimport "c.ridl"\n');
});

test("organizing imports removes nothing from documents that are not listed", () => {
  const documents = {
    "types.ridl": `${head}import "c.ridl"\nimport "b.ridl"\n\nstruct A\n  - c: C\n`,
    "b.ridl": "webrpc = v1\ntype B: string\n",
    "c.ridl": "webrpc = v1\ntype C: string\n",
  };
  const { service, texts } = openMarked(documents, { entries: ["b.ridl"] });
  const after = applyEdits(texts, service.organizeImports("types.ridl"));
  expect(after.get("types.ridl")).toContain(
    'import "b.ridl"\nimport "c.ridl"\n',
  );
});

test("organizing imports keeps credentials, which methods name by their header", () => {
  const { service, texts } = openMarked({
    "a.ridl": `${head}import "b.ridl"\n  - Unused\n  - Key\n\nservice A\n  @auth:"X-Key"\n  - Get()\n`,
    "b.ridl":
      'webrpc = v1\nerror 1 Denied "denied" HTTP 401\ntype Key: string\n  + header = X-Key\n  + error = Denied\ntype Unused: string\n',
  });
  const after = applyEdits(texts, service.organizeImports("a.ridl"));
  expect(after.get("a.ridl")).toContain('import "b.ridl"\n  - Key\n\n');
});

describe("code actions", () => {
  /** Returns the marked document and all findings after the given action. */
  function act(
    documents: Readonly<Record<string, string>>,
    title: string,
  ): { text: string; findings: readonly string[] } {
    const { service, path, offset, texts } = openMarked(documents);
    const span = { start: offset, end: offset };
    const actions = service.codeActions(path, span);
    const action = actions.find((each) => each.title === title);
    expect(actions.map((each) => each.title)).toContain(title);
    const after = applyEdits(texts, action?.edits ?? []);
    return { text: after.get(path) ?? "", findings: checkAll(after) };
  }

  test("applies the fix of a diagnostic", () => {
    const { text, findings } = act(
      { "a.ridl": `${head}struct A\n  - id: §strin\n` },
      "write `string`",
    );
    expect(text).toContain("- id: string");
    expect(findings).toEqual([]);
  });

  test.each([
    ["declare struct `B`", "struct B\n\nstruct A"],
    ["declare alias `B`", "type B: string\n\nstruct A"],
  ])("%s", (title, expected) => {
    const documents = { "a.ridl": `${head}struct A\n  - id: §B\n` };
    const { text, findings } = act(documents, title);
    expect(text).toContain(expected);
    expect(findings).toEqual([]);
  });

  test("declares an error with a free code", () => {
    const { text, findings } = act(
      {
        "a.ridl": `${head}# Does it.\nservice A\n  - Get() => () errors §NotHere\n`,
      },
      "declare error `NotHere`",
    );
    expect(text).toContain(
      'error 1001 NotHere "Not here" HTTP 400\n\n# Does it.\nservice',
    );
    expect(findings).toEqual([]);
  });

  test.each([
    [
      "declare error `NotHere`",
      'error 1 A "a" HTTP 400 # why\n\nservice S\n  - Get() => () errors §NotHere\n',
      'error 1 A "a" HTTP 400 # why\nerror 1001 NotHere "Not here" HTTP 400\n',
    ],
    [
      "import `Color` from `common.ridl`",
      'import "other.ridl" # why\n\nstruct A\n  - id: §Color\n',
      'import "other.ridl" # why\nimport "common.ridl"\n',
    ],
    [
      "import `Color` from `common.ridl`",
      'import "common.ridl"\n  - Item # why\n\nstruct A\n  - id: §Color\n  - item: Item\n',
      'import "common.ridl"\n  - Item # why\n  - Color\n',
    ],
    [
      "import `Color` from `common.ridl`",
      "version = v1.0.0 # why\n\nstruct A\n  - id: §Color\n",
      'version = v1.0.0 # why\n\nimport "common.ridl"\n',
    ],
  ])(
    "%s keeps the comment at the end of the line above",
    (title, end, expected) => {
      for (const lineBreak of ["\n", "\r\n"]) {
        const start = "webrpc = v1\nname = a\n";
        const { text } = act(
          {
            "a.ridl": (start + end).replaceAll("\n", lineBreak),
            "common.ridl":
              "webrpc = v1\ntype Color: string\nstruct Item\n  - id: bool\n",
            "other.ridl": "webrpc = v1\ntype Other: string\n",
          },
          title,
        );
        expect(text).toContain(expected.replaceAll("\n", lineBreak));
        expect(text.replaceAll(lineBreak, "")).not.toContain("\n");
      }
    },
  );

  test("inserts the first import with the line breaks of the document", () => {
    const { text } = act(
      {
        "a.ridl": "struct A\r\n  - id: §Color\r\n",
        "common.ridl": "webrpc = v1\ntype Color: string\n",
      },
      "import `Color` from `common.ridl`",
    );
    expect(text).toBe(
      'import "common.ridl"\r\n\r\nstruct A\r\n  - id: Color\r\n',
    );
  });

  test("imports a declaration from another document", () => {
    const { text, findings } = act(
      { ...shop, "a.ridl": `${head}struct A\n  - id: §Color\n` },
      "import `Color` from `common.ridl`",
    );
    expect(text).toContain('import "common.ridl"');
    expect(findings).toEqual([]);
  });

  test("extracts an alias with its limits", () => {
    const { text, findings } = act(
      shopAt("api.ridl", "[]string"),
      "extract alias `Tags`",
    );
    expect(text).toContain(
      "type Tags: []string\n  + maxItems = 5\n\n# What is for sale.\nstruct Item",
    );
    expect(text).toContain("  - tags?: Tags\n  - colors");
    expect(findings).toEqual([]);
  });

  test.each(["\n", "\r\n"])(
    "moves comments with limits into an alias, with line breaks %j",
    (lineBreak) => {
      const fields = [
        "  - code: §string",
        "    # Letters",
        "    # only.",
        "    + pattern = ^[a-z]+$ # why",
        "    + json = key",
        "    + maxLength = 9",
        "    + sensitive = true",
        "  - other: bool # last",
      ].join("\n");
      const { text, findings } = act(
        {
          "a.ridl": `${head}struct A\n${fields}\n`.replaceAll("\n", lineBreak),
        },
        "extract alias `Code`",
      );
      expect(text.replaceAll(lineBreak, "\n")).toBe(
        `${head}type Code: string\n  # Letters\n  # only.\n  + pattern = ^[a-z]+$ # why\n  + maxLength = 9\n  + sensitive = true\n\nstruct A\n  - code: Code\n    + json = key\n  - other: bool # last\n`,
      );
      expect(text.replaceAll(lineBreak, "")).not.toContain("\n");
      expect(findings).toEqual([]);
    },
  );

  test.each([
    "struct A\n  - a: §string + minLength = 3\n",
    "struct A\n  - a: §string\n    + minLength = 3 - b: uint32\n",
    "struct A\n  - a: §string\n    + minLength = 3 + maxLength = 9\n",
    "struct B\n  - c: bool\n\nstruct A\n  - a: §any\n    + oneOf = B\n",
  ])("does not extract an alias if lines contain more: %j", (text) => {
    const { service, path, offset } = openMarked({ "a.ridl": head + text });
    const span = { start: offset, end: offset };
    const titles = service.codeActions(path, span).map(({ title }) => title);
    expect(titles.join()).not.toContain("extract");
  });

  test.each(["header = X-Code", "error = Denied", "tag = kind"])(
    "leaves %s at the field, because it means something else on an alias",
    (entry) => {
      const { text } = act(
        {
          "a.ridl": `${head}struct A\n  - a: §string\n    + ${entry}\n    + maxLength = 9\n`,
        },
        "extract alias `A2`",
      );
      expect(text).toContain("type A2: string\n  + maxLength = 9\n\n");
      expect(text).toContain(`  - a: A2\n    + ${entry}\n`);
    },
  );

  test("extracts an alias with a name that no document declares", () => {
    const { text, findings } = act(
      {
        "common.ridl": "webrpc = v1\n\nstruct A\n  - item: §string\n",
        "a.ridl": `${head}import "common.ridl"\n\nstruct Item\n  - a: A\n`,
      },
      "extract alias `Item2`",
    );
    expect(text).toContain("  - item: Item2");
    expect(findings).toEqual([]);
  });

  test("extracts an alias of an argument whose name begins with `_`", () => {
    const { findings } = act(
      { "a.ridl": `${head}service A\n  - Get(_id: §string) => ()\n` },
      "extract alias `Id`",
    );
    expect(findings).toEqual([]);
  });

  test("extracts an alias with a valid name if the field's is invalid", () => {
    const { text } = act(
      { "a.ridl": `${head}struct A\n  - my$api-key: §string\n` },
      "extract alias `Myapikey`",
    );
    expect(text).toContain("type Myapikey: string\n");
  });

  test.each(["struct A\n  - b: §foo\n", "service A\n  - B() errors §foo\n"])(
    "does not declare an invalid name: %j",
    (text) => {
      const { service, path, offset } = openMarked({ "a.ridl": head + text });
      const span = { start: offset, end: offset };
      const titles = service.codeActions(path, span).map(({ title }) => title);
      expect(titles.join()).not.toContain("declare");
    },
  );

  test.each(["file", "[]file"])("does not extract an alias of %s", (type) => {
    const text = `${head}service A\n  - B(c: §${type}) => ()\n`;
    const { service, path, offset } = openMarked({ "a.ridl": text });
    const span = { start: offset, end: offset };
    const titles = service.codeActions(path, span).map(({ title }) => title);
    expect(titles.join()).not.toContain("extract");
  });

  test("deprecates a method", () => {
    const { text, findings } = act(
      shopAt("api.ridl", "GetItem"),
      "deprecate `GetItem`",
    );
    expect(text).toContain('}"\n  @deprecated\n  - GetItem');
    expect(findings).toEqual([]);
  });

  test.each(["service A - §B()", "struct A - §b: string"])(
    "does not deprecate a member in the line of its owner: %s",
    (text) => {
      const { service, path, offset } = openMarked({ "a.ridl": head + text });
      const span = { start: offset, end: offset };
      const titles = service.codeActions(path, span).map(({ title }) => title);
      expect(titles.join()).not.toContain("deprecate");
    },
  );

  test("offers only fixes in the JSON form", () => {
    const text =
      '{"webrpc":"v1","types":[{"kind":"struct","name":"A","fields":[{"name":"b","type":"strin"},{"name":"c","type":"uint64"}]}]}';
    const { service } = openMarked({ "a.json": text });
    const everything = { start: 0, end: text.length };
    const actions = service.codeActions("a.json", everything);
    expect(actions.map(({ title }) => title)).toEqual(["write `string`"]);
    for (let at = 0; at <= text.length; at++) {
      const here = service.codeActions("a.json", { start: at, end: at });
      expect(here.every(({ kind }) => kind === "fix")).toBe(true);
    }
  });

  test("silences a finding with a reason", () => {
    const { text, findings } = act(
      {
        "a.ridl": `${head}service A\n  - Get(ids: §[]string) => ()\n`,
      },
      "silence `unbounded-list` with a reason",
    );
    expect(text).toContain(
      "\n  #! ridl-ignore unbounded-list because …\n  - Get",
    );
    expect(findings).toEqual([]);
  });
});
