import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import * as rules from "../../generator/2-check/rules/index.js";

test("every rule of the folder is applied", () => {
  const files = readdirSync("generator/2-check/rules")
    .map((name) => name.replace(/\.ts$/u, ""))
    .filter((name) => !["index", "rule", "rest-path-fault"].includes(name));
  // One file has two rules that share what they look for.
  expect(files.map(toCamelCase)).toEqual(
    expect.arrayContaining(
      Object.keys(rules).filter((name) => !/^duplicateError/u.test(name)),
    ),
  );
  expect(Object.keys(rules)).toHaveLength(files.length + 1);
});

function toCamelCase(name: string): string {
  return name.replace(/-(.)/gu, (_, letter: string) => letter.toUpperCase());
}
