import { execFileSync } from "node:child_process";
import { format } from "prettier";
import { expect, test } from "vitest";
import { originsEmitter } from "../../generator/4-emit/origins/origins.js";
import type {
  Contract,
  Docs,
  Origin,
  Struct,
} from "../../generator/ir/contract.js";

const options = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
} as const;

function docs(...origins: Origin[]): Docs {
  return { lines: [], origins };
}

function stated(detail: string): Origin {
  return { kind: "stated", detail };
}

function struct(name: string, origins: Docs): Struct {
  return { kind: "struct", name, docs: origins, host: null, fields: [] };
}

function contractOf(types: readonly Struct[], document = "a.ridl"): Contract {
  return {
    kind: "contract",
    hosts: [
      {
        kind: "host",
        name: "a",
        document,
        version: null,
        docs: docs(),
        basePath: { text: "/rpc/", segments: [] },
        baseUrl: null,
        services: [],
      },
    ],
    types,
    errors: [],
    credentials: [],
    validationError: "WebrpcBadRequest",
  };
}

function emit(contract: Contract): string {
  const [file] = originsEmitter.emit(contract, options);
  expect(file?.path).toBe("origins.md");
  return file?.text ?? "";
}

test("there is no page when nothing has an origin", () => {
  const contract = contractOf([struct("A", docs())]);
  expect(originsEmitter.emit(contract, options)).toEqual([]);
});

test("what was filled in comes before what is stated, with counts", async () => {
  const contract = contractOf([
    struct("A", docs(stated("4.10"), { kind: "public", detail: "paging" })),
    struct("B", docs(stated("4.9"), { kind: "decided", detail: "" })),
    struct("C", docs(stated("4.9"))),
    struct("D", docs(stated("4"))),
  ]);
  const text = emit(contract);
  expect(text).toBe(await format(text, { filepath: "origins.md" }));
  expect(text.split("\n").filter((line) => /^[#-]/u.test(line))).toEqual([
    "# Where the contract comes from",
    "- decided: 1",
    "- public: 1",
    "- stated: 4",
    "- without an origin of its own: 1",
    "## Filled in: decided here",
    "- `B`",
    "## Filled in: from public sources",
    "- `A`: paging",
    "## Stated",
    "### 4",
    "- `D`",
    "### 4.9",
    "- `B`",
    "- `C`",
    "### 4.10",
    "- `A`",
  ]);
});

test("text of the schema cannot become Markdown or HTML", async () => {
  const hostile = "<script>*x*</script> {{view}} `a``b` [x](y) --> # \u2028_";
  const text = emit(
    contractOf(
      [
        struct(`A\`${hostile}`, docs({ kind: "decided", detail: hostile })),
        struct("B", docs(stated(hostile))),
      ],
      "a --> <img>.ridl",
    ),
  );
  expect(text).toBe(await format(text, { filepath: "origins.md" }));
  const withoutCode = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/gu, "");
  expect(withoutCode.split("-->")).toHaveLength(2);
  expect(withoutCode.replaceAll(/\\./gu, "")).not.toMatch(/[*`[\]]|<(?!!--)/u);
});

test("the embedded templates equal the files in templates/", () => {
  const script = new URL("../../scripts/embed-templates.js", import.meta.url);
  const run = (): string =>
    execFileSync(process.execPath, [script.pathname, "--check"]).toString();
  expect(run).not.toThrow();
});
