import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  catalogue,
  isBreakingCode,
} from "../../generator/diagnostics/catalogue.js";
import { breakingRules } from "../../generator/diff/index.js";

const codes = breakingRules.map(({ code }) => code).sort();

test("each rule is a file of its name", () => {
  const files = readdirSync("generator/diff/rules")
    .map((name) => name.replace(/\.ts$/u, ""))
    .filter((name) => name !== "index");
  expect(files.sort()).toEqual(codes);
});

test("each is listed once, and no other code is about changes", () => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(Object.keys(catalogue).filter(isBreakingCode).sort()).toEqual(codes);
});

test("the configuration knows all rules", () => {
  const schema = Object(JSON.parse(readFileSync("config.schema.json", "utf8")));
  const { rules } = schema.properties.breaking.properties;
  expect(rules.propertyNames.enum.toSorted()).toEqual(codes);
});

test("docs/breaking.md lists them as they are", () => {
  const page = readFileSync("docs/breaking.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(diagnostics\/\1\.md\) +\| (.*?) +\|/gmu,
  );
  const written = [...rows].map(([, code, text]) => [code, text]);
  expect(written.sort()).toEqual(codes.map((code) => [code, catalogue[code]]));
});
