import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scalars } from "../../generator/ir/scalars.js";

const folder = "apps/editors/tree-sitter-ridl";

type Rule = Readonly<Record<string, unknown>>;

const toRule = (value: unknown): unknown => {
  if (typeof value === "string") return { type: "STRING", value };
  if (value instanceof RegExp) return { type: "PATTERN", value: value.source };
  return value;
};
const symbols = new Proxy(
  {},
  { get: (_, name): Rule => ({ type: "SYMBOL", name }) },
);
const many =
  (type: string) =>
  (...members: unknown[]): Rule => ({ type, members: members.map(toRule) });
const one =
  (type: string) =>
  (content: unknown): Rule => ({ type, content: toRule(content) });
const ranked =
  (type: string) =>
  (...args: readonly unknown[]): Rule => ({
    type,
    value: args.length === 2 ? args[0] : 0,
    content: toRule(args.at(-1)),
  });

/** The functions with which tree-sitter evaluates a grammar. */
const functions = {
  seq: many("SEQ"),
  choice: many("CHOICE"),
  repeat: one("REPEAT"),
  repeat1: one("REPEAT1"),
  optional: (rule: unknown) => many("CHOICE")(rule, { type: "BLANK" }),
  token: Object.assign(one("TOKEN"), { immediate: one("IMMEDIATE_TOKEN") }),
  prec: Object.assign(ranked("PREC"), { right: ranked("PREC_RIGHT") }),
  field: (name: string, content: unknown): Rule => ({
    type: "FIELD",
    name,
    content: toRule(content),
  }),
  alias: (content: unknown, { name }: { readonly name: string }): Rule => ({
    type: "ALIAS",
    content: toRule(content),
    named: true,
    value: name,
  }),
  grammar: (options: {
    readonly rules: Readonly<Record<string, (all: object) => unknown>>;
  }): Rule =>
    Object.fromEntries(
      Object.entries(options.rules).map(([name, create]) => [
        name,
        toRule(create(symbols)),
      ]),
    ),
};

test("the generated parser is that of the grammar, which has every core type", async () => {
  Object.assign(globalThis, functions);
  const { default: rules } = await import(
    new URL(`../../${folder}/grammar.js`, import.meta.url).href
  );
  const text = readFileSync(`${folder}/src/grammar.json`, "utf8");
  const generated = JSON.parse(text);
  expect(generated.rules).toEqual(rules);
  const names = generated.rules.core_type.content.members.map(
    ({ value }: { readonly value: string }) => value,
  );
  expect(names.toSorted()).toEqual(Object.keys(scalars).toSorted());
});

test("the query for Helix differs only in the names of colors", () => {
  const read = (path: string): string =>
    readFileSync(`${folder}/queries/${path}`, "utf8").replace(/^;.*\n/u, "");
  const names: Readonly<Record<string, string>> = {
    "@string.escape": "@constant.character.escape",
    "@number": "@constant.numeric",
    "@boolean": "@constant.builtin.boolean",
    "@property": "@variable.other.member",
  };
  const renamed = read("highlights.scm").replace(
    /@[\w.]+/gu,
    (name) => names[name] ?? name,
  );
  expect(read("helix/highlights.scm")).toBe(renamed);
});
