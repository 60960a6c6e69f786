import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import { keywords } from "../../tools/import/notes/keywords.js";
import { checkDocuments } from "../support/check-documents.js";
import { isLong } from "../support/draw-some.js";
import * as fc from "../support/fast-check.js";
import { arbitraryDocument } from "./arbitrary-document.js";

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
const paths =
  "paths: { /a: { get: { responses: { '200': { description: OK, content: { application/json: { schema: SCHEMA } } } } } } }\n";

/** Imports one document. Other files are read from `files`. */
function run(text: string, files: Readonly<Record<string, string>> = {}) {
  const read = (path: string) => {
    const found = path === "openapi.yaml" ? text : files[path];
    return found === undefined
      ? { fault: "it does not exist" }
      : { text: found };
  };
  return importOpenapi("openapi.yaml", read, "a");
}

/** Imports a document with this schema, in YAML, and these others. */
function runSchema(schema: string, others = "", type = "application/json") {
  const path = paths.replace("application/json", type);
  return run(`${head}${path.replace("SCHEMA", schema)}${others}`);
}

function expectValid(documents: ReadonlyMap<string, string> | null): void {
  expect(documents).not.toBeNull();
  const { diagnostics } = checkDocuments([...(documents?.keys() ?? [])], {
    read: (path) => documents?.get(path) ?? null,
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
}

describe("hostile documents", () => {
  test.each([
    [
      "an address on the network",
      "{ $ref: 'https://example.com/a.yaml' }",
      "is an address",
    ],
    [
      "a file outside the folder",
      "{ $ref: '../secret.yaml' }",
      "outside the folder",
    ],
    ["an absolute path", "{ $ref: '/etc/passwd' }", "outside the folder"],
    ["a missing file", "{ $ref: 'missing.yaml' }", "it does not exist"],
    [
      "a missing target",
      "{ $ref: '#/components/schemas/No' }",
      "there is nothing at",
    ],
    [
      "a reference to itself",
      "{ $ref: '#/paths/~1a/get/responses/200/content/application~1json/schema' }",
      "leads to itself",
    ],
  ])("reports %s", (_, schema, message) => {
    const { documents, diagnostics } = runSchema(schema);
    expect(documents).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toContain("import-document");
    expect(diagnostics[0]?.message).toContain(message);
  });

  test("reports aliases that repeat too much", () => {
    const lines = Array.from({ length: 9 }, (_, index) => {
      const items = Array.from({ length: 10 }, () => `*a${index}`).join(", ");
      return `x-${index + 1}: &a${index + 1} [${items}]`;
    });
    const { diagnostics } = run(`x-0: &a0 [1]\n${lines.join("\n")}\n`);
    expect(diagnostics[0]?.message).toContain("repeat too much");
  });

  test("reports maps that are merged too often", () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `  k${index}: 1`);
    const merges = "  - <<: *a\n".repeat(2000);
    const { diagnostics } = run(`a: &a\n${keys.join("\n")}\nb:\n${merges}`);
    expect(diagnostics[0]?.message).toContain("repeat too much");
  });

  test("reports an alias in itself, deep nesting, and what is not OpenAPI", () => {
    const first = (text: string) => run(text).diagnostics[0]?.message;
    expect(first("a: &a [*a]\n")).toContain("contains itself");
    expect(first("[".repeat(5000))).toContain("nested too deeply");
    expect(first(`${'{"a":'.repeat(5000)}1`)).toContain("nested too deeply");
    expect(first("swagger: '1.2'\n")).toContain("of Swagger");
    expect(first("swagger: '2.0'\n")).toContain("no paths");
    expect(first("")).toContain("not OpenAPI");
    expect(first("a: [\n")).toContain("syntax error");
    expect(first("openapi: 4.0.0\n")).toContain("unknown version");
    expect(first('{ "a": 1, "b": 2, "a": 3 }')).toContain("`a` is given twice");
    expect(first("a: 1\nb: { get: 1, get: 2 }\n")).toContain("`get` is given");
    expect(first("a:\n  <<: 1\n")).toContain("expected a map");
  });

  test("maps Swagger 2 with any value anywhere, or says what is wrong", () => {
    const file = join(import.meta.dirname, "cases/swagger/openapi.yaml");
    const read = (): unknown => parse(readFileSync(file, "utf8"));
    const places: string[][] = [];
    const visit = (value: unknown, place: string[]): void => {
      if (place.length > 0) places.push(place);
      if (typeof value !== "object" || value === null) return;
      for (const [key, item] of Object.entries(value)) {
        visit(item, [...place, key]);
      }
    };
    visit(read(), []);
    const other = fc.constantFrom<unknown>(
      ...[null, true, 2, "", "file", [], [[]], {}, [{ in: "body" }]],
      ...[{ $ref: "#/parameters/pet" }, { $ref: "#/definitions/Pet" }],
      ...[{ in: "formData", name: "__proto__", type: "file" }],
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), other, (place, value) => {
        const document = read();
        const holder = place
          .slice(0, -1)
          .reduce<unknown>((at, key) => Reflect.get(Object(at), key), document);
        Reflect.set(Object(holder), place.at(-1) ?? "", value);
        const { documents, diagnostics } = run(JSON.stringify(document));
        if (documents === null) {
          const severities = diagnostics.map(({ severity }) => severity);
          expect(severities).toContain("error");
        } else expectValid(documents);
      }),
      { numRuns: 300 },
    );
  });

  test("maps schemas that contain themselves", () => {
    const others =
      "components: { schemas: { A: { type: array, items: { $ref: '#/components/schemas/A' } }, B: { type: object, required: [b], properties: { b: { $ref: '#/components/schemas/B' } } }, C: { allOf: [{ $ref: '#/components/schemas/C' }], properties: { c: { $ref: '#/components/schemas/A' } } }, D: { oneOf: [{ $ref: '#/components/schemas/D' }, { type: string }] } } }\n";
    const both = others.replace(
      / \} \}\n$/u,
      ", E: { anyOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/D' }, { $ref: '#/components/schemas/E' }] } } }\n",
    );
    for (const name of ["A", "C", "D", "E"]) {
      const schema = `{ $ref: '#/components/schemas/${name}' }`;
      for (const type of ["application/json", "'*/*'"]) {
        expectValid(runSchema(schema, both, type).documents);
      }
    }
  });

  test("maps many operations in linear time", () => {
    const create = (count: number): string => {
      const all = Array.from({ length: count }, (_, index) => [
        `/a${index}/{id}`,
        {
          get: { operationId: "same", responses: { 204: { description: "" } } },
        },
      ]);
      return JSON.stringify({
        openapi: "3.0.0",
        info: { title: "Many", version: "1" },
        paths: Object.fromEntries(all),
      });
    };
    const timeOf = (count: number): number => {
      const { user } = process.cpuUsage();
      expect(run(create(count)).documents).not.toBeNull();
      return process.cpuUsage().user - user;
    };
    const count = isLong ? 10_000 : 3000;
    timeOf(500);
    const few = timeOf(count / 4);
    expect(timeOf(count)).toBeLessThan(few * 12);
  }, 120_000);
});

test("every keyword is used, ignored, or noted", () => {
  for (const [keyword, use] of Object.entries(keywords.schema)) {
    if (typeof use === "string") continue;
    const { diagnostics } = runSchema(`{ ${keyword}: {} }`);
    const note = diagnostics.find(({ message }) =>
      message.includes(`\`${keyword}\``),
    );
    expect(note?.notes?.[1]).toBe(`instead: ${use.instead}`);
  }
  const { diagnostics } = runSchema("{ nonsense: 1, x-mine: 1 }");
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "`nonsense` is not known",
  ]);
});

test("random documents become RIDL without errors", () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      const { documents, diagnostics } = run(JSON.stringify(document));
      const isLoop = diagnostics.some(({ message }) =>
        message.includes("leads to itself"),
      );
      if (!isLoop) expectValid(documents);
    }),
    { numRuns: 100 },
  );
}, 120_000);
