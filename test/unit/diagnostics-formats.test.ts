import { expect, test } from "vitest";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { formatGithub } from "../../generator/diagnostics/formats/github.js";
import { formatJson } from "../../generator/diagnostics/formats/json.js";
import { formatSarif } from "../../generator/diagnostics/formats/sarif.js";

const source = { path: "a b,c.ridl", text: "x\n  🎉Ping\n" };
const location = { source, span: { start: 6, end: 10 } };
const full: Diagnostic = {
  code: "unexpected-token",
  severity: "warning",
  message: "50% of\nit",
  location,
  related: [{ location, label: "that" }],
  notes: ["a note"],
  help: "do it",
  fix: { location, replacement: "Pong" },
};
const bare: Diagnostic = { code: "c", severity: "info", message: "m" };
const place = {
  file: "a b,c.ridl",
  line: 2,
  column: 4,
  endLine: 2,
  endColumn: 8,
};

test("json has every member, and null for a missing location", () => {
  expect(JSON.parse(formatJson([full, bare]))).toEqual({
    diagnostics: [
      {
        code: "unexpected-token",
        severity: "warning",
        message: "50% of\nit",
        ...place,
        related: [{ label: "that", ...place }],
        notes: ["a note"],
        help: "do it",
        fix: { ...place, replacement: "Pong" },
      },
      {
        ...{
          code: "c",
          severity: "info",
          message: "m",
          related: [],
          notes: [],
        },
        ...{ file: null, line: null, column: null },
        ...{ endLine: null, endColumn: null },
      },
    ],
  });
});

test("github prints one escaped command per finding", () => {
  expect(formatGithub([full, bare])).toBe(
    "::warning file=a b%2Cc.ridl,line=2,col=4,endLine=2,endColumn=7,title=unexpected-token::50%25 of%0Ait%0Aa note%0Ado it\n" +
      "::notice title=c::m\n",
  );
});

test("sarif contains rules, results, and regions", () => {
  const log: unknown = JSON.parse(formatSarif([full, bare]));
  const region = { startLine: 2, startColumn: 4, endLine: 2, endColumn: 8 };
  const physicalLocation = {
    artifactLocation: { uri: "a%20b%2Cc.ridl" },
    region,
  };
  expect(log).toMatchObject({
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "ridlkit", rules: [{ id: "c" }, { id: full.code }] },
        },
        columnKind: "unicodeCodePoints",
        results: [
          {
            ruleId: full.code,
            ruleIndex: 1,
            level: "warning",
            locations: [{ physicalLocation }],
            relatedLocations: [{ physicalLocation, message: { text: "that" } }],
          },
          { ruleId: "c", ruleIndex: 0, level: "note", locations: [] },
        ],
      },
    ],
  });
});
