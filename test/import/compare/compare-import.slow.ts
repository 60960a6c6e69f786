import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../support/draw-some.js";
import { compareFile } from "./compare-file.js";

const root = join(import.meta.dirname, "../cases");
const files = readdirSync(root).map((name) => {
  const names = readdirSync(join(root, name));
  const file = names.find((each) => each.startsWith("openapi.")) ?? "";
  return { name, path: join(root, name, file) };
});

test.each(files)(
  "the contract of $name accepts the values that ajv accepts, apart from notes",
  ({ path }) => {
    const found = compareFile(path, { count: isLong ? 60 : 20, seed: 1 });
    const silent = found?.disagreements.filter(({ note }) => note === null);
    expect(silent).toEqual([]);
  },
);

test("values are valid and invalid, and notes announce disagreements", () => {
  const found = files.flatMap(
    ({ path }) => compareFile(path, { count: 20, seed: 2 }) ?? [],
  );
  const sum = (key: "values" | "valid"): number =>
    found.reduce((total, each) => total + each[key], 0);
  expect(sum("valid")).toBeGreaterThan(sum("values") / 4);
  expect(sum("values") - sum("valid")).toBeGreaterThan(sum("values") / 8);
  const noted = found.flatMap(({ disagreements }) => disagreements);
  expect(noted.length).toBeGreaterThan(20);
});
