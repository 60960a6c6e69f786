import { expect } from "vitest";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import { importEmitted } from "./import-emitted.js";
import type { Exports } from "./run-emitted.js";

/**
 * Compiles a contract, which must have no diagnostics, and imports the generated
 * client, errors and server.
 */
export function importContract(
  ridl: string,
  {
    int64 = "number",
    timestamp = "string",
  }: Partial<Pick<EmitOptions, "int64" | "timestamp">> = {},
): Promise<Exports> {
  const { diagnostics, value } = compileContract(["contract.ridl"], {
    read: () => ridl,
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  const files = emitContract(
    value ?? expect.unreachable(),
    emitters,
    {
      importExtension: ".js",
      int64,
      language: "typescript",
      nullAsEmpty: false,
      runtime: "import",
      timestamp,
    },
    { runtimeSources: new Map() },
  );
  const names = ["client", "errors", "server"];
  return importEmitted(
    files,
    names.map((name) => `export * from "/${name}.js";`),
  );
}
