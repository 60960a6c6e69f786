import { posix } from "node:path";
import { transformSync } from "esbuild";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import * as client from "../../runtime/client/client.js";
import * as createClient from "../../runtime/codegen/create-client.js";
import * as createStreams from "../../runtime/codegen/create-streams.js";
import * as createTransfers from "../../runtime/codegen/create-transfers.js";
import * as mcp from "../../runtime/client/mcp.js";
import * as stream from "../../runtime/client/stream.js";
import * as transfer from "../../runtime/client/transfer.js";
import * as createTools from "../../runtime/codegen/create-tools.js";
import * as createServer from "../../runtime/codegen/create-server.js";
import * as knowContracts from "../../runtime/codegen/know-contracts.js";
import * as idempotencyKey from "../../runtime/codegen/idempotency-key.js";
import * as mockMethods from "../../runtime/codegen/mock-methods.js";
import * as mock from "../../runtime/server/mock.js";
import * as readErrors from "../../runtime/codegen/read-errors.js";
import * as receiver from "../../runtime/codegen/receiver.js";
import * as server from "../../runtime/server/server.js";
import * as checks from "../../runtime/codegen/checks.js";
import * as unions from "../../runtime/values/unions.js";
import * as validation from "../../runtime/values/validation.js";
import * as codec from "../../runtime/codegen/codec.js";
import * as createSchemas from "../../runtime/codegen/create-schemas.js";
import * as errors from "../../runtime/wire/errors.js";
import * as fileData from "../../runtime/wire/file-data.js";
import * as json from "../../runtime/wire/json.js";
import * as messageJson from "../../runtime/codegen/message-json.js";
import * as printing from "../../runtime/codegen/printing.js";
import * as schema from "../../runtime/wire/schema.js";

const modules: Readonly<Record<string, unknown>> = {
  "@ridlkit/runtime/client": client,
  "@ridlkit/runtime/codegen/create-client": createClient,
  "@ridlkit/runtime/codegen/create-streams": createStreams,
  "@ridlkit/runtime/codegen/create-tools": createTools,
  "@ridlkit/runtime/codegen/create-transfers": createTransfers,
  "@ridlkit/runtime/codegen/idempotency-key": idempotencyKey,
  "@ridlkit/runtime/codegen/mock-methods": mockMethods,
  "@ridlkit/runtime/mcp": mcp,
  "@ridlkit/runtime/mock": mock,
  "@ridlkit/runtime/stream": stream,
  "@ridlkit/runtime/transfer": transfer,
  "@ridlkit/runtime/codegen/create-server": createServer,
  "@ridlkit/runtime/codegen/know-contracts": knowContracts,
  "@ridlkit/runtime/codegen/read-errors": readErrors,
  "@ridlkit/runtime/codegen/receiver": receiver,
  "@ridlkit/runtime/server": server,
  "@ridlkit/runtime/codegen/checks": checks,
  "@ridlkit/runtime/validation": validation,
  "@ridlkit/runtime/codegen/codec": codec,
  "@ridlkit/runtime/codegen/create-schemas": createSchemas,
  "@ridlkit/runtime/errors": errors,
  "@ridlkit/runtime/file-data": fileData,
  "@ridlkit/runtime/json": json,
  "@ridlkit/runtime/codegen/message-json": messageJson,
  "@ridlkit/runtime/codegen/printing": printing,
  "@ridlkit/runtime/schema": schema,
  "@ridlkit/runtime/unions": unions,
};

/** The exports of a module. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Runs the text of a host's generated file, and returns its exports.
 *
 * Input: the exports of other generated files that it imports, such as
 * `{ "./codecs.js": runEmitted(codecs) }`.
 */
export function runEmitted(
  text: string,
  files: Readonly<Record<string, Exports>> = {},
): Exports {
  return runModule(text, (name) => files[name] ?? modules[name]);
}

/**
 * Returns a function that returns the exports of a generated file by its path
 * in the output folder, such as `./client.js`. Each file runs once, when its
 * exports are first requested.
 */
export function runFiles(
  files: readonly OutputFile[],
): (name: string) => Exports | undefined {
  const texts = new Map(files.map(({ path, text }) => [`./${path}`, text]));
  const loaded = new Map<string, Exports>();
  const load = (name: string): Exports | undefined => {
    const text = texts.get(name);
    const known = loaded.get(name);
    if (known !== undefined || text === undefined) return known;
    const exports = runModule(
      text,
      (asked) =>
        load(`./${posix.join(posix.dirname(name), asked)}`) ?? modules[asked],
    );
    loaded.set(name, exports);
    return exports;
  };
  return load;
}

/**
 * Caches compiled modules by their text, because two versions of a contract
 * have most files in common.
 */
const compiled = new Map<string, Function>();

function runModule(text: string, load: (name: string) => unknown): Exports {
  const run = compiled.get(text) ?? compileModule(text);
  // Most of the thousands of versions never occur again.
  if (compiled.size >= 100) compiled.clear();
  compiled.set(text, run);
  const module: { exports: Exports } = { exports: {} };
  run(module, module.exports, load);
  return module.exports;
}

function compileModule(text: string): Function {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  return new Function("module", "exports", "require", code);
}

/** Returns an exported function. Fails if no function has that name. */
export function exportedFunction(
  exports: Exports,
  name: string,
): (...args: readonly unknown[]) => unknown {
  const value = exports[name];
  if (typeof value !== "function") throw new Error(`${name} is not exported`);
  return (...args) => Reflect.apply(value, undefined, args);
}
