import { posix } from "node:path";
import { transformSync } from "esbuild";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import * as client from "../../runtime/typescript/client/client.js";
import * as createClient from "../../runtime/typescript/codegen/create-client.js";
import * as createStreams from "../../runtime/typescript/codegen/create-streams.js";
import * as createTransfers from "../../runtime/typescript/codegen/create-transfers.js";
import * as mcp from "../../runtime/typescript/client/mcp.js";
import * as stream from "../../runtime/typescript/client/stream.js";
import * as transfer from "../../runtime/typescript/client/transfer.js";
import * as createTools from "../../runtime/typescript/codegen/create-tools.js";
import * as createServer from "../../runtime/typescript/codegen/create-server.js";
import * as knowContracts from "../../runtime/typescript/codegen/know-contracts.js";
import * as idempotencyKey from "../../runtime/typescript/codegen/idempotency-key.js";
import * as mockMethods from "../../runtime/typescript/codegen/mock-methods.js";
import * as mock from "../../runtime/typescript/server/mock.js";
import * as readErrors from "../../runtime/typescript/codegen/read-errors.js";
import * as readRequests from "../../runtime/typescript/codegen/read-requests.js";
import * as receiver from "../../runtime/typescript/codegen/receiver.js";
import * as server from "../../runtime/typescript/server/server.js";
import * as checks from "../../runtime/typescript/codegen/checks.js";
import * as unions from "../../runtime/typescript/values/unions.js";
import * as validation from "../../runtime/typescript/values/validation.js";
import * as codec from "../../runtime/typescript/codegen/codec.js";
import * as createSchemas from "../../runtime/typescript/codegen/create-schemas.js";
import * as errors from "../../runtime/typescript/wire/errors.js";
import * as fileData from "../../runtime/typescript/wire/file-data.js";
import * as json from "../../runtime/typescript/wire/json.js";
import * as messageJson from "../../runtime/typescript/codegen/message-json.js";
import * as printing from "../../runtime/typescript/codegen/printing.js";
import * as schema from "../../runtime/typescript/wire/schema.js";

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
  "@ridlkit/runtime/codegen/read-requests": readRequests,
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
