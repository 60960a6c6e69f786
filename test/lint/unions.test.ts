import { expect, test } from "vitest";
import { lintText } from "./lint-text.js";

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";

/** Returns `code line` for each finding of the default rules. */
function lint(text: string, rules: Readonly<Record<string, "warning">> = {}) {
  const found = lintText(head + text, { rules });
  return found.map(({ code, location }) => {
    const { source, span } = location ?? {};
    const rest = source?.text.slice(span?.start) ?? "";
    return `${code} ${rest.split(/[|\n"]/u)[0]}`;
  });
}

const send = "\nservice Shop\n  - Send(item: Item)\n";

test("reports lists and integers in the variants of unions", () => {
  const text = `type Item: any\n  + oneOf = []string|uint64|Box\n\nstruct Box\n  - ids: []string\n${send}`;
  expect(lint(text).toSorted()).toEqual([
    "int64-unsafe uint64",
    "unbounded-list []string",
    "unbounded-list []string",
  ]);
});

test("reports lists and integers in the variants of fields", () => {
  const text = `struct Item\n  - kind: string\n  - data: any\n    + oneOf = "many:[]string|count:uint64"\n    + tag = kind\n${send}`;
  expect(lint(text).toSorted()).toEqual([
    "int64-unsafe uint64",
    "unbounded-list []string",
  ]);
});

test("reports unions that can be nested to any depth", () => {
  const text = `type Items: []Item\n  + maxItems = 9\n\ntype Item: any\n  + oneOf = string|Items\n${send}`;
  expect(lint(text)).toEqual(["unbounded-recursion Items"]);
});

test("counts a variant as a use of its type", () => {
  const text = `struct Box\n  - id: string\n\ntype Item: any\n  + oneOf = string|Box\n${send}`;
  expect(lint(text, { "type-unused": "warning" })).toEqual([]);
});

test("reports unique entries only if a variant is an object", () => {
  const rules = { "unique-items-on-objects": "warning" } as const;
  const text = (variant: string): string =>
    `struct Box\n  - id: string\n\ntype One: any\n  + oneOf = string|${variant}\n\nstruct Item\n  - boxes: []One\n    + maxItems = 5\n    + uniqueItems = true\n  - box: Box\n${send}`;
  expect(lint(text("Box"), rules)).toEqual([
    "unique-items-on-objects + uniqueItems = true",
  ]);
  expect(lint(text("bool"), rules)).toEqual([]);
});
