import { join } from "node:path";
import { emitContract } from "../../4-emit/emit.js";
import type { EmitOptions } from "../../4-emit/emitter/emitter.js";
import type { Contract } from "../../ir/contract.js";
import type { System } from "../system/system.js";
import { readRuntime } from "./runtime-sources.js";
import { selectTargets } from "./targets.js";

/** Generated modules, to run in this process. */
export interface GeneratedModules {
  /**
   * Loads a module. Input: its path from the output folder, e.g. `server.js`,
   * or that of a file of the runtime, e.g. `runtime/hosts/node/node.js`.
   * Output: its exports.
   */
  load(path: string): Promise<unknown>;
  /** Removes the files. */
  remove(): void;
}

/**
 * Options of code that commands load: its integers are exact, whatever generated
 * code of the project has. Input: what of the project's options counts.
 */
export function exactOptions({
  compat,
  nullAsEmpty = compat === "webrpc",
}: Pick<EmitOptions, "compat" | "nullAsEmpty">): EmitOptions {
  return {
    int64: "bigint",
    timestamp: "string",
    runtime: "copy",
    importExtension: ".js",
    nullAsEmpty,
  };
}

/**
 * Generates JavaScript with a copy of the runtime, in a folder of its own, for
 * commands that serve or call a contract without any generated code.
 *
 * Input: names of targets, e.g. `server`; what they need comes along. Entries of
 * the runtime that none of them imports, e.g. `node`, are named in
 * `options.runtimeFiles`.
 */
export async function loadGenerated(
  contract: Contract,
  targets: readonly string[],
  options: EmitOptions,
  system: System,
): Promise<GeneratedModules> {
  const chosen: EmitOptions = {
    ...options,
    language: "javascript",
    declarations: false,
    runtime: "copy",
    importExtension: ".js",
  };
  const emitters = await selectTargets(targets, chosen);
  const context = { runtimeSources: readRuntime(system, chosen) };
  const files = emitContract(contract, emitters, chosen, context);
  const folder = system.createTemporaryFolder();
  const write = (path: string, text: string) =>
    system.writeText(join(folder, path), text);
  try {
    write("package.json", '{ "type": "module" }\n');
    for (const { path, text } of files) write(path, text);
  } catch (error) {
    system.removeFolder(folder);
    throw error;
  }
  return {
    load: (path) => system.importModule(join(folder, path), "1"),
    remove: () => system.removeFolder(folder),
  };
}
