import { emitContract } from "../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { deferredEmitters, emitters } from "../../generator/4-emit/registry.js";
import { compileSources, type Texts } from "./compile-sources.js";
import type { CodeOptions } from "./language-api.js";

/** The settings that enable every target. */
const allTargets = {
  runtime: "import",
  importExtension: ".js",
  compat: "webrpc",
  nullAsEmpty: false,
  query: "react",
  mcp: "all",
  schemas: true,
  mock: true,
  jsonSchema: true,
  markdown: true,
  openapi: {},
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
  const deferred = await Promise.all(
    Object.values(deferredEmitters).map((load) => load()),
  );
  return emitContract(
    contract,
    [...emitters, ...deferred],
    { ...allTargets, ...options },
    { runtimeSources: new Map() },
  );
}
