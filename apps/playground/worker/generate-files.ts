import { emitContract } from "../../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../../generator/4-emit/emitter/emitter.js";
import { targetNames } from "../../../generator/4-emit/registry.js";
import { selectTargets } from "../../../generator/4-emit/select-targets.js";
import { compileSources, type Texts } from "./compile-sources.js";
import type { CodeOptions } from "./language-api.js";

/** Options that users of the page cannot change. */
const fixedOptions = {
  runtime: "import",
  importExtension: ".js",
} as const satisfies Partial<EmitOptions>;

/**
 * Generates the files of all targets except the explorer. Returns null if the
 * contract has errors or no service.
 */
export async function generateFiles(
  texts: Texts,
  options: CodeOptions,
): Promise<readonly OutputFile[] | null> {
  const contract = compileSources(texts);
  if (contract === null || contract.hosts.length === 0) return null;
  const names = targetNames.filter((name) => name !== "docs");
  return emitContract(
    contract,
    await selectTargets(names.map((name) => ({ name }))),
    { ...fixedOptions, ...options },
    { runtimeSources: new Map() },
  );
}
