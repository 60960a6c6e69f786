import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format } from "prettier";
import { afterAll, expect, it } from "vitest";
import { typesEmitter } from "../../generator/4-emit/typescript/types/types.js";
import { compileContract } from "../../generator/compile.js";
import { runTsc } from "../support/run-tsc.js";
import { writeTree } from "../support/write-tree.js";

const folder = mkdtempSync(join(tmpdir(), "ridlkit-recursive-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = "TheNameOfThisUnionIsSoLongThatItsMapNeedsMoreThanOneLine";

const source = `webrpc = v1
name = data
version = v1.0.0

enum Level: string
  - low
  - high

type Json: any
  + oneOf = "string | float64 | bool | null | []Json | map<string,Json>"

type ByLevel: any
  + oneOf = "string | map<Level,ByLevel>"

type Deep: any
  + oneOf = "string | map<string,map<Level,Deep>>"

# Two unions and an alias that contain each other.
type Left: any
  + oneOf = "string | map<string,Rights>"

type Right: any
  + oneOf = "bool | map<uint32,Left>"

type Rights: map<string,Right>

# Without a map that leads back to it.
type Plain: any
  + oneOf = "string | []map<string,Plain>"

type Holder: any
  + oneOf = "string | map<string,Json>"

type ${long}: any
  + oneOf = "string | map<string,map<string,${long}>>"

service Data
  - Put(json: Json, level: ByLevel, deep: Deep, left: Left, plain: Plain, holder: Holder, long: ${long})
`;

const use = `import type { ByLevel, Deep, Json, Left } from "./types.js";

export const json: Json = { a: [1, null, { b: { c: true } }] };
export const level: ByLevel = { low: { high: "a" } };
export const deep: Deep = { a: { low: "a" } };
export const left: Left = { a: { b: { 1: "a" } } };
// @ts-expect-error: A date is no JSON.
export const date: Json = { a: new Date() };
// @ts-expect-error: It is no member of the enum.
export const middle: ByLevel = { middle: "a" };
`;

it("compiles unions with maps that contain them", async () => {
  const { value } = compileContract(["data.ridl"], { read: () => source });
  if (value === null) throw new Error("the contract has mistakes");
  const [file] = typesEmitter.emit(value, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  const text = file?.text ?? "";
  expect(text).toBe(await format(text, { filepath: "types.ts" }));
  expect(text).toContain("export type Holder = string | Record<string, Json>;");
  const compilerOptions = { strict: true, noEmit: true, types: [] };
  writeTree(
    folder,
    new Map([
      ["types.ts", text],
      ["use.ts", use],
      ["tsconfig.json", JSON.stringify({ compilerOptions })],
    ]),
  );
  expect(runTsc(join(folder, "tsconfig.json"))).toEqual({
    status: 0,
    stdout: "",
  });
});
