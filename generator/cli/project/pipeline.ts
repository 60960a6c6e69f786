import { posix } from "node:path";
import type { OutputFile } from "../../4-emit/emitter.js";
import { emitContract } from "../../4-emit/emit.js";
import { emitters } from "../../4-emit/registry.js";
import { compileContract } from "../../compile.js";
import type { Host } from "../../2-check/host.js";
import type { Outcome } from "../../diagnostics/diagnostic.js";
import type { CliHost } from "../host.js";
import { selectEntries } from "./entries.js";
import type { Project } from "./project.js";
import { selectTargets } from "./targets.js";

/**
 * Runs the whole generator over a project, in memory. The one module that
 * loads every stage; import it on demand.
 *
 * Output: the files to be written, in path order; null when a document has an
 * error.
 */
export function generateFiles(
  project: Project,
  documents: Host,
  host: CliHost,
): Outcome<readonly OutputFile[] | null> {
  const { config } = project;
  const entries = selectEntries(project.documents, documents);
  const { value, diagnostics } = compileContract(entries, documents);
  if (value === null) return { value: null, diagnostics };
  const targets = selectTargets(config.emit);
  const files = emitContract(
    value,
    emitters.filter(({ name }) => targets.has(name)),
    config.options,
    {
      runtimeSources:
        config.options.runtime === "copy" ? readRuntime(host) : new Map(),
    },
  );
  return { value: files, diagnostics };
}

/** The runtime's TypeScript as it is shipped in the package. */
function readRuntime(host: CliHost, folder = ""): ReadonlyMap<string, string> {
  const root = posix.join(host.packageFolder, "runtime");
  const sources = new Map<string, string>();
  for (const entry of host.listFolder(posix.join(root, folder)) ?? []) {
    const path = posix.join(folder, entry.name);
    if (entry.isFolder) {
      for (const [name, text] of readRuntime(host, path)) {
        sources.set(name, text);
      }
    } else if (path.endsWith(".ts")) {
      sources.set(path, host.readText(posix.join(root, path)) ?? "");
    }
  }
  return sources;
}
