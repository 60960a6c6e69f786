import { describe, expect, it } from "vitest";
import type { FieldData } from "../../generator/4-emit/docs/explorer-data.js";
import { draftAt, type FieldDraft } from "../../apps/explorer/calls/draft.js";
import { readViolations } from "../../apps/explorer/calls/violations.js";
import {
  printFailures,
  renderGot,
} from "../../runtime/typescript/values/failure.js";

describe("readViolations", () => {
  it("reads what the runtime prints", () => {
    const odd = `a "b"; c: expected x, got y \\ ] `;
    const failures = [
      { path: ["room"], expected: "a room name", got: renderGot(odd) },
      { path: ["by", odd, 0, "id"], expected: "a number", got: "a list of 3" },
      { path: ["ids", 12], expected: "an integer; or text", got: "nothing" },
      { path: ["_a1", "*"], expected: "null", got: renderGot("") },
    ];
    expect(readViolations(printFailures(failures))).toEqual(
      failures.map(({ path, expected, got }) => ({
        path,
        text: `expected ${expected}, got ${got}`,
      })),
    );
  });

  it.each([
    "",
    "because",
    "expected an object, got a list of 3",
    "room: no such room",
    '["unclosed: expected a, got b',
    "[1: expected a, got b",
    "a..b: expected c, got d",
    ".a: expected b, got c",
    "a[0]b: expected c, got d",
    'a: expected b, got c "d"',
  ])("finds none in `%s`", (cause) => {
    expect(readViolations(cause)).toEqual([]);
  });

  it.each([
    [String.raw`a["\x"].b`, ["a", String.raw`["\x"]`, "b"]],
    ['["a\nb"]', ['["a\nb"]']],
    ['["a; b"][0]', ["a; b", 0]],
    ["[01]", ["[01]"]],
  ])("reads the path %j", (path, keys) => {
    expect(readViolations(`${path}: expected b, got c`)).toEqual([
      { path: keys, text: "expected b, got c" },
    ]);
  });

  it.each([
    ["insufficient_funds_for_transaction_fee_and_gas: none"],
    ["a".repeat(100_000)],
    ["a.".repeat(50_000)],
    ["[1]".repeat(50_000)],
    ['["'.repeat(50_000)],
    ["a: expected ".repeat(100_000) + '["'.repeat(100_000)],
    ["; a: expected ".repeat(100_000)],
    ["; a: expected ".repeat(700) + ', got b"'.repeat(1300)],
    ["; a: expected b, got c".repeat(50_000) + '"'],
    [`; a: expected b, got "${String.raw`\"`.repeat(50_000)}`],
  ])("takes little time for a cause that almost fits: %.30s", (hostile) => {
    const start = process.cpuUsage();
    readViolations(hostile);
    const { user } = process.cpuUsage(start);
    expect(user).toBeLessThan(2e6);
  });
});

describe("draftAt", () => {
  const field = (name: string): FieldData => ({
    name,
    type: { kind: "scalar", name: "string" },
  });
  const given = (
    name: string,
    value: FieldDraft["value"],
    state: FieldDraft["state"] = "given",
  ): FieldDraft => ({ field: field(name), state, value });
  const item = { kind: "text", text: "a" } as const;
  const inner = given("id", { kind: "text", text: "" });
  const entry = { kind: "struct", fields: [inner] } as const;
  const list = given("list", { kind: "list", items: [item] });
  const map = given("map", {
    kind: "map",
    entries: [{ key: "a b", value: entry }],
  });
  const absent = given("absent", null, "absent");
  const fields = [list, map, absent];

  it.each([
    [["list"], list],
    [["list", 0], item],
    [["list", 1], list],
    [["list", 0, "deeper"], item],
    [["map", "a b", "id"], inner],
    [["map", "a b", "other"], entry],
    [["map", "none"], map],
    [["absent", "id"], absent],
    [["none"], null],
    [[], null],
  ])("finds the value at %j, or the nearest one", (path, draft) => {
    expect(draftAt(fields, path)).toBe(draft);
  });
});
