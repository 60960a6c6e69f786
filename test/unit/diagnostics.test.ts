import { expect, test } from "vitest";
import { catalog } from "../../generator/diagnostics/catalog.js";
import {
  compareDiagnostics,
  type Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import {
  renderDiagnostic,
  renderDiagnostics,
} from "../../generator/diagnostics/render.js";
import { editDistance, suggest } from "../../generator/diagnostics/suggest.js";
import type { Location, Source } from "../../generator/source/source.js";

/** Returns the location of the n-th occurrence of a string in a source. */
function place(source: Source, text: string, occurrence = 1): Location {
  let start = -1;
  for (let i = 0; i < occurrence; i++) {
    start = source.text.indexOf(text, start + 1);
  }
  return { source, span: { start, end: start + text.length } };
}

function render(diagnostic: Partial<Diagnostic>, color = false): string {
  return renderDiagnostic(
    {
      code: "some-code",
      severity: "error",
      message: "a message",
      ...diagnostic,
    },
    { color },
  );
}

const wallet: Source = {
  path: "schema/wallet.ridl",
  text: "a\nservice Wallet\n\n  - Ping() => ()\n\n  - Ping(n: int)\n\n\n\n  - Last()\n",
};

test("locations in one file share a frame, in line order", () => {
  const text = render({
    message: "method `Ping` is declared twice",
    location: place(wallet, "Ping", 2),
    related: [
      { location: place(wallet, "Ping"), label: "first declared here" },
    ],
    notes: ["names are compared without case"],
    help: "rename one of them",
  });
  expect(text).toBe(
    `
error[some-code]: method \`Ping\` is declared twice
 --> schema/wallet.ridl:6:5
  |
4 |   - Ping() => ()
  |     ---- first declared here
6 |   - Ping(n: int)
  |     ^^^^
  = note: names are compared without case
  = help: rename one of them`.slice(1),
  );
});

test("other files have separate frames, and gaps between lines are shown", () => {
  const other: Source = { path: "b.ridl", text: "struct B\n" };
  const text = render({
    location: place(wallet, "Last"),
    related: [
      { location: place(other, "B"), label: "there" },
      { location: place(wallet, "Wallet"), label: "in this service" },
    ],
  });
  expect(text).toBe(
    `
error[some-code]: a message
  --> schema/wallet.ridl:10:5
   |
 2 | service Wallet
   |         ------ in this service
...
10 |   - Last()
   |     ^^^^
  ::: b.ridl:1:8
   |
 1 | struct B
   |        - there`.slice(1),
  );
});

test("a finding without a location consists of one line and its notes", () => {
  expect(render({ help: "create it" })).toBe(
    "error[some-code]: a message\n = help: create it",
  );
});

test("tabs, wide characters, and unprintable characters stay aligned", () => {
  const source = { path: "a", text: "\t漢字 e\u0301🎉\u202e x \u0007" };
  const rows = render({ location: place(source, "x") }).split("\n");
  expect(rows.slice(3)).toEqual([
    "1 |     漢字 e\u0301🎉\ufffd x \ufffd",
    `  |${" ".repeat(15)}^`,
  ]);
});

test("long lines are truncated around the location", () => {
  const source = {
    path: "a",
    text: `${"漢🎉".repeat(3_000_000)}here${"x".repeat(5_000_000)}`,
  };
  const rows = render({ location: place(source, "here") }).split("\n");
  const [, , , line = "", mark = ""] = rows;
  expect(line).toMatch(/^1 \| ….*here.*…$/u);
  expect([...line].length).toBeLessThan(120);
  const width = [...line.slice(4, line.indexOf("here"))].length;
  // All characters except the ellipsis are two columns wide.
  expect(mark.indexOf("^")).toBe(4 + 1 + (width - 1) * 2);
});

test("empty and multi-line locations show one row of marks", () => {
  const source = { path: "a", text: "ab\ncd\n" };
  const at = (start: number, end: number): string[] =>
    render({ location: { source, span: { start, end } } })
      .split("\n")
      .slice(3);
  expect(at(2, 2)).toEqual(["1 | ab", "  |   ^"]);
  expect(at(1, 5)).toEqual(["1 | ab", "  |  ^"]);
  expect(at(6, 6)).toEqual(["3 |", "  | ^"]);
});

test("colors do not change the text", () => {
  const diagnostic = { location: place(wallet, "Last"), help: "x" };
  const colored = render(diagnostic, true);
  expect(colored).toContain("\u001b[1;31merror[some-code]");
  expect(colored.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe(render(diagnostic));
});

test("an empty line separates findings", () => {
  const one: Diagnostic = { code: "c", severity: "info", message: "m" };
  expect(renderDiagnostics([one, one], { color: false })).toBe(
    "info[c]: m\n\ninfo[c]: m",
  );
});

test("findings are sorted by file, location, and code", () => {
  const make = (code: string, path?: string, start = 0): Diagnostic => ({
    code,
    severity: "error",
    message: "",
    ...(path !== undefined && {
      location: { source: { path, text: "" }, span: { start, end: start } },
    }),
  });
  const sorted = [
    ...[make("z"), make("b", "a", 1), make("a", "a", 2), make("b", "a", 2)],
    make("a", "b"),
  ];
  expect([...sorted].reverse().sort(compareDiagnostics)).toEqual(sorted);
});

test("suggestions are similar, few, and sorted", () => {
  expect(suggest("strct", ["string", "struct"])).toEqual(["struct"]);
  expect(suggest("ADRESS", ["Address", "Order"])).toEqual(["Address"]);
  expect(suggest("xyz", ["Address"])).toEqual([]);
  expect(suggest("same", ["same"])).toEqual([]);
  const many = ["aab", "aac", "aad", "aae", "aaf", "aag"];
  expect(suggest("aaa", many)).toEqual(many.slice(0, 5));
  expect(suggest("x".repeat(1_000_000), ["x"])).toEqual([]);
  expect(editDistance("ab", "ba")).toBe(1);
  expect(editDistance("kitten", "sitting")).toBe(3);
});

test("codes are in kebab-case, and summaries do not end with a period", () => {
  for (const [code, summary] of Object.entries(catalog)) {
    expect(code).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(summary).toMatch(/[^.]$/);
  }
});
