import { transformSync } from "esbuild";
import * as codec from "../../runtime/codec.js";
import * as json from "../../runtime/json.js";
import * as printing from "../../runtime/printing.js";
import * as validation from "../../runtime/validation.js";

const modules: Readonly<Record<string, unknown>> = {
  "ridlkit/runtime/codec": codec,
  "ridlkit/runtime/json": json,
  "ridlkit/runtime/printing": printing,
  "ridlkit/runtime/validation": validation,
};

type Exports = Readonly<Record<string, unknown>>;

/** Runs the text of a generated `validators.ts`, `codecs.ts` or `printers.ts` of one host. */
export function runEmitted(text: string): Exports {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module: { exports: Exports } = { exports: {} };
  const run = new Function("module", "exports", "require", code);
  run(module, module.exports, (name: string) => modules[name]);
  return module.exports;
}

/** An exported function; fails when there is none of that name. */
export function exportedFunction(
  exports: Exports,
  name: string,
): (...args: readonly unknown[]) => unknown {
  const value = exports[name];
  if (typeof value !== "function") throw new Error(`${name} is not exported`);
  return (...args) => Reflect.apply(value, undefined, args);
}
