import { emitContract } from "../../generator/4-emit/emit.js";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import {
  selectTargets,
  type TargetChoice,
} from "../../generator/4-emit/select-targets.js";
import type { Contract } from "../../generator/ir/contract.js";
import { resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";
import { readRuntime } from "./runtime-sources.js";

/** Generated modules that this process can load. */
export interface GeneratedModules {
  /**
   * Loads a module by its path in the output folder, e.g. `server.js` or
   * `runtime/hosts/node/node.js`.
   */
  load(path: string): Promise<unknown>;
  /** Removes the files. */
  remove(): void;
}

/** Returns the options of code that commands load, with exact integers. */
export function exactOptions({
  nullAsEmpty = false,
}: Pick<EmitOptions, "nullAsEmpty">): EmitOptions {
  return {
    int64: "bigint",
    timestamp: "string",
    runtime: "copy",
    importExtension: ".js",
    nullAsEmpty,
  };
}

/**
 * Generates JavaScript with a copy of the runtime in a temporary folder, for
 * commands that serve or call a contract.
 *
 * Input: targets, e.g. `server`. The targets that they need are added.
 * `options.runtimeFiles` names runtime files that no generated file
 * imports, e.g. `node`.
 */
export async function loadGenerated(
  contract: Contract,
  targets: readonly TargetChoice[],
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
  const emitters = await selectTargets(targets, contract);
  const context = { runtimeSources: readRuntime(system, chosen) };
  const files = emitContract(contract, emitters, chosen, context);
  const folder = system.createTemporaryFolder();
  const write = (path: string, text: string) =>
    system.writeText(resolvePath(folder, path), text);
  try {
    write("package.json", '{ "type": "module" }\n');
    for (const { path, text } of files) write(path, text);
  } catch (error) {
    system.removeFolder(folder);
    throw error;
  }
  return {
    load: (path) => system.importModule(resolvePath(folder, path), "1"),
    remove: () => system.removeFolder(folder),
  };
}
