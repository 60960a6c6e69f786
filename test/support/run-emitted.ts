import { transformSync } from "esbuild";
import * as client from "../../runtime/client/client.js";
import * as codec from "../../runtime/wire/codec.js";
import * as json from "../../runtime/wire/json.js";
import * as printing from "../../runtime/wire/printing.js";
import * as validation from "../../runtime/values/validation.js";

const modules: Readonly<Record<string, unknown>> = {
  "@ridlkit/runtime/client": client,
  "@ridlkit/runtime/codec": codec,
  "@ridlkit/runtime/json": json,
  "@ridlkit/runtime/printing": printing,
  "@ridlkit/runtime/validation": validation,
};

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Runs the text of a generated file of one host. Input: what the other generated
 * files that it imports export, e.g. `{ "./codecs.js": runEmitted(codecs) }`.
 */
export function runEmitted(
  text: string,
  files: Readonly<Record<string, Exports>> = {},
): Exports {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module: { exports: Exports } = { exports: {} };
  const run = new Function("module", "exports", "require", code);
  run(module, module.exports, (name: string) => files[name] ?? modules[name]);
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
