import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { formatSarif } from "../../generator/diagnostics/formats/sarif.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * The parts of SARIF 2.1.0 that we write, without additional properties, as in
 * the standard's own schema. Services reject a whole log if it contains an
 * unknown property. Source: OASIS SARIF 2.1.0, sections 3.13, 3.14, 3.18, 3.19,
 * 3.27 to 3.30, 3.49.
 */
const text = { type: "string", minLength: 1 };
const closed = (
  required: readonly string[],
  properties: Readonly<Record<string, unknown>>,
): object => ({
  type: "object",
  required,
  properties,
  additionalProperties: false,
});
const message = closed(["text"], { text });
const count = { type: "integer", minimum: 1 };
const location = (more: Readonly<Record<string, unknown>>): object =>
  closed(["physicalLocation", ...Object.keys(more)], {
    physicalLocation: closed(["artifactLocation", "region"], {
      artifactLocation: closed(["uri"], {
        uri: { type: "string", pattern: "^[^\\s\\\\]+$" },
      }),
      region: closed(["startLine"], {
        startLine: count,
        startColumn: count,
        endLine: count,
        endColumn: count,
      }),
    }),
    ...more,
  });
const log = closed(["version", "runs"], {
  $schema: text,
  version: { const: "2.1.0" },
  runs: {
    type: "array",
    items: closed(["tool"], {
      tool: closed(["driver"], {
        driver: closed(["name"], {
          name: text,
          rules: {
            type: "array",
            uniqueItems: true,
            items: closed(["id"], { id: text, shortDescription: message }),
          },
        }),
      }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: {
        type: "array",
        items: closed(["message"], {
          ruleId: text,
          ruleIndex: { type: "integer", minimum: 0 },
          level: { enum: ["none", "note", "warning", "error"] },
          message,
          locations: { type: "array", items: location({}) },
          relatedLocations: { type: "array", items: location({ message }) },
        }),
      },
    }),
  },
});

test("the output matches the schema of SARIF 2.1.0", () => {
  const texts: Readonly<Record<string, string>> = {
    "ä b/a.ridl": `webrpc = v1
import gone.ridl
struct A
  - a: strng
  - A: string
service A
  @auth:a,b
  - B(x: int, x: int) =>
`,
  };
  const { diagnostics } = checkDocuments(["ä b/a.ridl", "nowhere.ridl"], {
    read: (path) => texts[path] ?? null,
  });
  expect(diagnostics.length).toBeGreaterThan(4);
  const validate = new Ajv({ allErrors: true }).compile(log);
  for (const list of [diagnostics, []]) {
    const written: unknown = JSON.parse(formatSarif(list));
    validate(written);
    expect(validate.errors ?? []).toEqual([]);
  }
});

test("the URI of a file contains its path", () => {
  const path = "../a b/c#d?e:%f/ä.ridl";
  const source = { path, text: "" };
  const { runs } = JSON.parse(
    formatSarif([
      {
        code: "unknown-type",
        severity: "error",
        message: "m",
        location: { source, span: { start: 0, end: 0 } },
      },
    ]),
  );
  const { uri } =
    runs[0].results[0].locations[0].physicalLocation.artifactLocation;
  const { pathname } = new URL(uri, "https://example.com/folder/");
  expect(decodeURIComponent(pathname)).toBe(path.replace("..", ""));
});

test("every result names a rule of its run, and columns count code points", () => {
  const source = { path: "a.ridl", text: "x\n  🎉Ping\n" };
  const { runs } = JSON.parse(
    formatSarif([
      {
        code: "unknown-type",
        severity: "error",
        message: "m",
        location: { source, span: { start: 6, end: 10 } },
      },
    ]),
  );
  const [{ tool, results }] = runs;
  expect(tool.driver.rules[results[0].ruleIndex].id).toBe(results[0].ruleId);
  expect(results[0].locations[0].physicalLocation.region).toEqual({
    startLine: 2,
    startColumn: 4,
    endLine: 2,
    endColumn: 8,
  });
});
