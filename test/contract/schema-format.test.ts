import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { printDocument } from "../../generator/1-parse/print.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";

const paths = readdirSync("schema")
  .filter((name) => name.endsWith(".ridl"))
  .map((name) => `schema/${name}`);

it.each(paths)("the formatter does not change %s", (path) => {
  const text = readFileSync(path, "utf8");
  const { value, diagnostics } = parseDocument({ path, text });
  expect(diagnostics).toEqual([]);
  expect(printDocument(value)).toBe(text);
});
