import { readFileSync } from "node:fs";
import { emitContract } from "../../generator/4-emit/emit.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import { importEmitted } from "../support/import-emitted.js";
import type { Exports } from "../support/run-emitted.js";

const read = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), "utf8");

/** An item as handlers and clients see it. */
export const plain = {
  created: new Date("2026-01-02T03:04:05Z"),
  count: 1n,
  ratio: 0.5,
  text: "a",
  data: new Uint8Array([1, 2, 255]),
  names: ["a"],
  scores: { 7: 1.5 },
  any: 1,
};

/** Generates code from the `go-wire.ridl` contract, and loads it. */
export async function loadGoWire(nullAsEmpty: boolean): Promise<Exports> {
  const { value } = compileContract(["go-wire.ridl"], { read });
  if (value === null) throw new Error("go-wire.ridl has an error");
  const files = emitContract(
    value,
    emitters,
    {
      int64: "bigint",
      timestamp: "date",
      runtime: "import",
      importExtension: ".js",
      nullAsEmpty,
    },
    { runtimeSources: new Map() },
  );
  return importEmitted(files, [
    'export * from "/client.js";',
    'export * from "/server.js";',
    'export * from "/validators.js";',
  ]);
}
