import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emitters } from "../../generator/4-emit/registry.js";
import { readConfig } from "../../generator/cli/config/read-config.js";
import { selectTargets } from "../../generator/cli/project/targets.js";

const schema: unknown = JSON.parse(readFileSync("config.schema.json", "utf8"));

const isSetOf =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.toSorted().join() === names.join();

test("the committed validator is what config.schema.json says", () => {
  const script = "scripts/build-config-validator.js";
  const run = () => execFileSync("node", [script, "--check"]).toString();
  expect(run).not.toThrow();
});

test("the validator needs nothing at run time", () => {
  const text = readFileSync("generator/cli/config/config-validator.js", "utf8");
  expect(text).not.toMatch(/require\(|^import /mu);
});

test("the schema knows exactly the emitters there are", () => {
  const names = emitters.map(({ name }) => name).sort();
  expect(schema).toMatchObject({
    properties: {
      emit: { items: { else: { enum: expect.toSatisfy(isSetOf(names)) } } },
    },
  });
  expect([...selectTargets(null)].sort()).toEqual(names);
});

test("the schema, its documentation and the help name the same settings", () => {
  const keys = Object.keys(Object(Object(schema).properties));
  const page = readFileSync("docs/cli.md", "utf8");
  const [, section = ""] = page.split("## `ridl.config.yaml`");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| `(\w+)`/gmu)].map(([, key]) => key);
  expect(rows).toEqual(keys);

  const text = "schema: [a.ridl]\nnothing-like-it: 1\n";
  const { diagnostics } = readConfig({ path: "ridl.config.yaml", text });
  const named = keys.map((key) => `\`${key}\``).join(", ");
  expect(diagnostics[0]?.help).toBe(`the settings are ${named}`);
});
