import type { Emitter, OutputFile } from "../../4-emit/emitter/emitter.js";
import { emitContract } from "../../4-emit/emit.js";
import { compileDocuments } from "../../compile.js";
import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import { withoutAdvice } from "../../lint/index.js";
import type { System } from "../system/system.js";
import type { Parts } from "./manifest.js";
import { hasErrors } from "../report/report.js";
import { findUnknownHosts } from "./docs-hosts.js";
import { loadEmitters } from "./emitter-modules.js";
import { findClashes, runEmitter } from "./emitter-output.js";
import { loadEntries } from "./entries.js";
import type { Project } from "./project.js";
import { describeParts } from "./parts.js";
import type { RecordingReader } from "./recording-reader.js";
import { readExplorer, readRuntime } from "./runtime-sources.js";
import { selectTargets } from "./targets.js";

/** All files of a project. */
export interface GeneratedFiles {
  /** In path order. */
  readonly files: readonly OutputFile[];
  /** How the next run may make some of them alone; null when it cannot. */
  readonly parts: Parts | null;
}

/**
 * Runs the whole generator over a project, in memory. The one module that
 * loads every stage; import it on demand.
 *
 * Output: the files to be written; null when a document or an emitter of
 * the project has an error.
 */
export async function generateFiles(
  project: Project,
  reader: RecordingReader,
  system: System,
): Promise<Diagnosed<GeneratedFiles | null>> {
  const { options, emit, lint } = project.config;
  const loaded = await loadEmitters(project, reader, system);
  const { entries, documents } = loadEntries(project.documents, reader);
  // Advice is what `ridl check` is for; here only rules count that are set to
  // `error`.
  const { value, diagnostics } = compileDocuments(
    entries,
    documents,
    withoutAdvice(lint),
  );
  const found = [...loaded.diagnostics, ...diagnostics];
  if (value !== null) found.push(...findUnknownHosts(project.config, value));
  if (value === null || hasErrors(found)) {
    return { value: null, diagnostics: found };
  }
  const runs = await Promise.all(
    loaded.value.map((each) => runEmitter(each, value, options)),
  );
  const others = runs.map((run) => run.value);
  const needed = others.flatMap(({ needs }) => [...needs]);
  const chosen = selectTargets(emit, options, needed);
  const byHost = chosen.filter(({ isByHost }) => isByHost === true);
  // Run once: whether they write anything is asked for below.
  const whole = chosen
    .filter(({ isByHost }) => isByHost !== true)
    .map(({ name, emit }) => toEmitter(name, emit(value, options)));
  const foreign = others.map((each) => toEmitter(each.module.path, each.files));
  const files = emitContract(
    value,
    [...byHost, ...whole, ...foreign],
    options,
    {
      runtimeSources:
        options.runtime === "copy" ? readRuntime(system, options) : new Map(),
      explorerFiles:
        options.docs === undefined ? new Map() : readExplorer(system),
    },
  );
  const theirs = new Set(others.flatMap((each) => each.files));
  const ours = files.filter((file) => !theirs.has(file));
  found.push(
    ...runs.flatMap((run) => run.diagnostics),
    ...findClashes(ours, others),
  );
  if (hasErrors(found)) return { value: null, diagnostics: found };
  // A warning has to be repeated, and which files of the runtime are copied
  // depends on all files.
  const canBeParts =
    found.length === 0 &&
    options.runtime === "import" &&
    loaded.value.length === 0 &&
    whole.every((each) => each.emit(value, options).length === 0);
  const parts = canBeParts ? describeParts(project, value, documents) : null;
  return { value: { files, parts }, diagnostics: found };
}

/** What was emitted already, so that the runtime's copy sees its imports too. */
function toEmitter(name: string, files: readonly OutputFile[]): Emitter {
  return { name, emit: () => files };
}
