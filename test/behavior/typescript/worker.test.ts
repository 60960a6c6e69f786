import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { runtimeEntries } from "../../support/runtime-entries.js";

/** The globals that Workers provide in addition to the language. */
const globals = {
  AbortController,
  AbortSignal,
  Blob,
  File,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  performance,
  setTimeout,
};

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/worker-program.ts`],
    alias: runtimeEntries,
    bundle: true,
    format: "iife",
    globalName: "program",
    // Importing any Node.js module would cause an error.
    platform: "neutral",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

it("client and server run without Node.js and without eval", async () => {
  const context = createContext(
    { ...globals },
    { codeGeneration: { strings: false, wasm: false } },
  );
  runInContext(await bundle(), context);
  expect(() => runInContext("eval('1')", context)).toThrow(/code generation/iu);
  expect(runInContext("typeof process + typeof require", context)).toBe(
    "undefinedundefined",
  );
  const text: string = await runInContext("program.run()", context);
  expect(JSON.parse(text)).toEqual({
    id: "1152921504606846979",
    gone: true,
    wrong: "text: expected a string, got 7",
    counts: [1, 2],
    statuses: [200, 410, 400, 200],
    shelves: ["a"],
  });
});
