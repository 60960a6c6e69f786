import { readFileSync } from "node:fs";

import { emitters } from "../../generator/4-emit/registry.js";
import { compatEmitter } from "../../generator/4-emit/typescript/compat/compat.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { compileContract } from "../../generator/compile.js";

/** Generates code from `interop.ridl` with default options. */
export function generateInterop(): readonly OutputFile[] {
  const { value, diagnostics } = compileContract(["interop.ridl"], {
    read: (path) => readFileSync(new URL(path, import.meta.url), "utf8"),
  });
  if (value === null || diagnostics.length > 0) {
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  }
  return emitContract(
    value,
    [...emitters, compatEmitter],
    {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
      nullAsEmpty: true,
    },
    { runtimeSources: new Map() },
  );
}
