import type { Emitter, OutputFile } from "../../4-emit/emitter.js";
import { emitContract } from "../../4-emit/emit.js";
import { emitters } from "../../4-emit/registry.js";
import { compileContract } from "../../compile.js";
import type { Outcome } from "../../diagnostics/diagnostic.js";
import { withoutAdvice } from "../../lint/index.js";
import type { CliHost } from "../host.js";
import { hasErrors } from "../report/report.js";
import { loadEmitters } from "./emitter-modules.js";
import { findClashes, runEmitter } from "./emitter-output.js";
import type { EmittedFiles } from "./emitter-output.js";
import { selectEntries } from "./entries.js";
import { createParsingHost } from "./parsing.js";
import type { Project } from "./project.js";
import type { RecordingHost } from "./recording.js";
import { readRuntime } from "./runtime-sources.js";
import { selectTargets } from "./targets.js";

/**
 * Runs the whole generator over a project, in memory. The one module that
 * loads every stage; import it on demand.
 *
 * Output: the files to be written, in path order; null when a document or an
 * emitter of the project has an error.
 */
export async function generateFiles(
  project: Project,
  documents: RecordingHost,
  host: CliHost,
): Promise<Outcome<readonly OutputFile[] | null>> {
  const { options, emit, lint } = project.config;
  const loaded = await loadEmitters(project, documents, host);
  const parsing = createParsingHost(documents);
  const entries = selectEntries(project.documents, parsing);
  // Advice is what `ridl check` is for; here only rules count that are set to
  // `error`.
  const { value, diagnostics } = compileContract(
    entries,
    parsing,
    withoutAdvice(lint),
  );
  const found = [...loaded.diagnostics, ...diagnostics];
  if (value === null || hasErrors(found)) {
    return { value: null, diagnostics: found };
  }
  const targets = selectTargets(emit, options.compat);
  const own = emitters.filter(({ name }) => targets.has(name));
  const runs = loaded.value.map((each) => runEmitter(each, value, options));
  const others = runs.map((run) => run.value);
  const files = emitContract(
    value,
    [...own, ...others.map(toEmitter)],
    options,
    {
      runtimeSources:
        options.runtime === "copy" ? readRuntime(host) : new Map(),
    },
  );
  const foreign = new Set(others.flatMap((each) => each.files));
  const ours = files.filter((file) => !foreign.has(file));
  found.push(
    ...runs.flatMap((run) => run.diagnostics),
    ...findClashes(ours, others),
  );
  return { value: hasErrors(found) ? null : files, diagnostics: found };
}

/** What was emitted already, so that the runtime's copy sees its imports too. */
function toEmitter({ module, files }: EmittedFiles): Emitter {
  return { name: module.path, emit: () => files };
}
