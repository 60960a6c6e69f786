import type { LoadedDocuments } from "../../1-parse/load/load-documents.js";
import { completeFiles } from "../../4-emit/emit.js";
import type {
  EmitOptions,
  Emitter,
  OutputFile,
} from "../../4-emit/emitter/emitter.js";
import { unitEmitters } from "../../4-emit/registry.js";
import { createPlan } from "../../4-emit/typescript/plan/create-plan.js";
import type { Plan, UnitPlan } from "../../4-emit/typescript/plan/plan.js";
import { compileDocuments } from "../../compile.js";
import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Contract } from "../../ir/contract.js";
import { withoutAdvice } from "../../lint/index.js";
import type { System } from "../system/system.js";
import type { Parts } from "./manifest.js";
import { hasErrors } from "../report/report.js";
import { findUnknownHosts } from "./unknown-hosts.js";
import { loadEmitters, type LoadedEmitter } from "./emitter-modules.js";
import { findClashes, runEmitter } from "./emitter-output.js";
import { loadEntries } from "./entries.js";
import type { Project } from "./project.js";
import {
  describeParts,
  findEditedUnits,
  keepOthers,
  planAmongOthers,
  type Edit,
} from "./parts.js";
import type { RecordingReader } from "./recording-reader.js";
import { readExplorer, readRuntime } from "./runtime-sources.js";
import { selectTargets } from "./targets.js";

/** The files of a project. */
export interface GeneratedFiles {
  /** Those that are to be written, unless they are as they should be. */
  readonly files: readonly OutputFile[];
  /** Hashes of those that stay as they were written, by path. */
  readonly kept: ReadonlyMap<string, string>;
  /** How the next run may make some of them alone; null when it cannot. */
  readonly parts: Parts | null;
}

/** What files are made from. */
interface Compiled {
  readonly plan: Plan;
  readonly documents: LoadedDocuments;
}

/**
 * Runs the generator over a project, in memory. The one module that loads
 * every stage; import it on demand.
 *
 * Input: what changed since the output was written, if that is enough to tell
 * which files may have to change; then no others are made. Output: null when a
 * document or an emitter of the project has an error.
 */
export async function generateFiles(
  project: Project,
  reader: RecordingReader,
  system: System,
  edit: Edit | null = null,
): Promise<Diagnosed<GeneratedFiles | null>> {
  const part = edit && (await generatePart(project, reader, edit));
  if (part) return { value: part, diagnostics: [] };
  const loaded = await loadEmitters(project, reader, system);
  const { value, diagnostics } = compileProject(
    project,
    project.documents,
    reader,
    createPlan,
  );
  const found = [...loaded.diagnostics, ...diagnostics];
  if (value === null || hasErrors(found)) {
    return { value: null, diagnostics: found };
  }
  const emitted = await emitFiles(project, value, loaded.value, system);
  found.push(...emitted.diagnostics);
  if (hasErrors(found)) return { value: null, diagnostics: found };
  // A warning has to be repeated.
  const parts = found.length === 0 ? emitted.value.parts : null;
  return { value: { ...emitted.value, parts }, diagnostics: found };
}

/** The files of edited hosts; null when others may have to change, too. */
async function generatePart(
  project: Project,
  reader: RecordingReader,
  edit: Edit,
): Promise<GeneratedFiles | null> {
  const { value, diagnostics } = compileProject(
    project,
    edit.changed,
    reader,
    (contract, options) => planAmongOthers(contract, options, edit.parts),
  );
  // Whatever has to be reported may be about any document.
  if (value === null || diagnostics.length > 0) return null;
  const units = findEditedUnits(edit, value);
  if (units === null) return null;
  const { plan } = value;
  const targets = await selectTargets(project.config.emit, plan.options);
  return {
    files: printUnits(plan, units, targets),
    kept: keepOthers(edit, units),
    parts: edit.parts,
  };
}

/** Reads and checks documents, and plans what is made from them. */
function compileProject(
  { config }: Project,
  listed: readonly string[],
  reader: RecordingReader,
  plan: (contract: Contract, options: EmitOptions) => Plan,
): Diagnosed<Compiled | null> {
  const { entries, documents } = loadEntries(listed, reader);
  // Advice is what `ridl check` is for; here only rules count that are set to
  // `error`.
  const { value, diagnostics } = compileDocuments(
    entries,
    documents,
    withoutAdvice(config.lint),
  );
  if (value === null) return { value, diagnostics };
  return {
    value: { plan: plan(value, config.options), documents },
    diagnostics: [...diagnostics, ...findUnknownHosts(config, value)],
  };
}

/** Runs all emitters. */
async function emitFiles(
  { config }: Project,
  { documents, plan }: Compiled,
  emitters: readonly LoadedEmitter[],
  system: System,
): Promise<Diagnosed<GeneratedFiles>> {
  const { contract, options } = plan;
  const runs = await Promise.all(
    emitters.map((each) => runEmitter(each, contract, options)),
  );
  const others = runs.map((run) => run.value);
  const needed = others.flatMap(({ needs }) => [...needs]);
  const targets = await selectTargets(config.emit, options, needed);
  const byUnit = printUnits(plan, plan.units, targets);
  const byContract = targets
    .filter((each) => !unitEmitters.some(({ name }) => name === each.name))
    .flatMap((each) => each.emit(contract, options));
  const theirs = new Set(others.flatMap((each) => each.files));
  const files = completeFiles([...byUnit, ...byContract, ...theirs], options, {
    runtimeSources:
      options.runtime === "copy" ? readRuntime(system, options) : new Map(),
    explorerFiles:
      options.docs === undefined ? new Map() : readExplorer(system),
  });
  const ours = files.filter((file) => !theirs.has(file));
  const isByUnit = emitters.length === 0 && files.length === byUnit.length;
  return {
    value: {
      files,
      kept: new Map(),
      parts: isByUnit ? describeParts(plan, config, documents) : null,
    },
    diagnostics: [
      ...runs.flatMap((run) => run.diagnostics),
      ...findClashes(
        ours.map(({ path }) => path),
        others,
      ),
    ],
  };
}

function printUnits(
  plan: Plan,
  units: readonly UnitPlan[],
  targets: readonly Emitter[],
): readonly OutputFile[] {
  return unitEmitters
    .filter((each) => targets.includes(each))
    .flatMap((each) => units.flatMap((unit) => each.emitUnit(plan, unit)));
}
