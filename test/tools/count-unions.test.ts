import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { writeTree } from "../support/write-tree.js";

const script = fileURLToPath(
  new URL("../../scripts/count-unions.js", import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), "ridlkit-count-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documentOf = (oneOf: readonly object[]): string =>
  JSON.stringify({
    openapi: "3.1.0",
    components: { schemas: { Union: { oneOf } } },
  });

it("counts the unions of several APIs", () => {
  const text = { type: "string" };
  writeTree(
    folder,
    new Map([
      ["one/openapi.json", documentOf([text, { type: "integer" }])],
      ["two/openapi.json", documentOf([text, {}])],
    ]),
  );
  const output = execFileSync(process.execPath, [script, folder], {
    encoding: "utf8",
  });
  expect(output.split("\n").slice(2)).toEqual([
    "| one | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 100.0 % | 100.0 % |",
    "| two | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 0.0 % | 0.0 % |",
    "| all | 2 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 50.0 % | 50.0 % |",
    "",
    "1 a variant allows any value",
    "",
  ]);
});
