import type { LoadedDocuments } from "../../1-parse/load/load-documents.js";
import type { CheckedContract } from "../../2-check/index.js";
import { completeFiles } from "../../4-emit/emit.js";
import type { EmitContext, OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Target } from "../../4-emit/emitter/target.js";
import { selectTargets } from "../../4-emit/select-targets.js";
import { createPlan } from "../../4-emit/typescript/plan/create-plan.js";
import type { Plan, UnitPlan } from "../../4-emit/typescript/plan/plan.js";
import { isUnitEmitter } from "../../4-emit/typescript/plan/unit-emitter.js";
import { compileDocuments } from "../../compile-documents.js";
import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Contract } from "../../ir/contract.js";
import { lintContract, loadRules, withoutAdvice } from "../../lint/index.js";
import type { Config } from "../config/config.js";
import type { System } from "../system/system.js";
import type { Parts } from "./manifest.js";
import { hasErrors } from "../report/report.js";
import { applyFilter } from "./apply-filter.js";
import { findUnknownNames } from "./unknown-names.js";
import type { LoadedEmitter } from "./emitter-modules.js";
import { loadEntries } from "../../1-parse/load/select-entries.js";
import type { Project } from "./project.js";
import {
  describeParts,
  findEditedUnits,
  otherUnitFiles,
  planAmongOthers,
  type Edit,
} from "./parts.js";
import type { RecordingReader } from "./recording-reader.js";
import { readExplorer, readRuntime } from "./runtime-sources.js";

/** The files of a project. */
export interface GeneratedFiles {
  /** Files in path order. */
  readonly files: readonly OutputFile[];
  /** Hashes of files that are kept unchanged, by path. */
  readonly kept: ReadonlyMap<string, string>;
  /** What the next run needs to regenerate a single host, or null. */
  readonly parts: Parts | null;
}

/** The data from which files are generated. */
interface Compiled {
  readonly plan: Plan;
  readonly documents: LoadedDocuments;
  readonly checked: CheckedContract;
}

interface EditedUnits {
  readonly edit: Edit;
  readonly units: readonly UnitPlan[];
}

/**
 * Runs the generator over a project, in memory. Import this module on demand,
 * because it loads every stage.
 *
 * If `edit` describes what changed since the output was written, the run is
 * restricted to files that may have to change. Returns null if a document or a
 * custom emitter has an error.
 */
export async function generateFiles(
  project: Project,
  reader: RecordingReader,
  system: System,
  edit: Edit | null = null,
): Promise<Diagnosed<GeneratedFiles | null>> {
  const loaded = await loadOwnEmitters(project, reader, system);
  const isPart = edit?.parts.whole.length === 0 && loaded.value.length === 0;
  const first = await compileProject(project, reader, isPart ? edit : null);
  // A diagnostic may concern any document, so all are compiled.
  const isQuiet = loaded.diagnostics.length + first.diagnostics.length === 0;
  const units =
    edit && first.value && isQuiet ? findEditedUnits(edit, first.value) : null;
  const { value, diagnostics } =
    isPart && units === null
      ? await compileProject(project, reader, null)
      : first;
  const found = [...loaded.diagnostics, ...diagnostics];
  if (value === null || hasErrors(found)) {
    return { value: null, diagnostics: found };
  }
  const edited = edit && units && { edit, units };
  const emitted = await emitFiles(project, value, loaded.value, edited, system);
  found.push(...emitted.diagnostics);
  if (hasErrors(found)) return { value: null, diagnostics: found };
  if (project.config.declarationMaps) {
    const { mapDeclarations } = await import("./map-declarations.js");
    const { plan, checked } = value;
    const files = mapDeclarations(emitted.value.files, plan, checked, project);
    // An added line in a document also changes the maps of other hosts.
    return {
      value: { ...emitted.value, files, parts: null },
      diagnostics: found,
    };
  }
  // The next run has to repeat warnings.
  const parts = found.length === 0 ? emitted.value.parts : null;
  return { value: { ...emitted.value, parts }, diagnostics: found };
}

/**
 * Loads custom emitters. If there are none, also skips the code for loading.
 */
async function loadOwnEmitters(
  project: Project,
  reader: RecordingReader,
  system: System,
): Promise<Diagnosed<readonly LoadedEmitter[]>> {
  if (project.config.emitterModules.length === 0) {
    return { value: [], diagnostics: [] };
  }
  const { loadEmitters } = await import("./emitter-modules.js");
  return loadEmitters(project, reader, system);
}

/** Reads and checks all documents, or only those that an edit changed. */
async function compileProject(
  { config, documents: listed }: Project,
  reader: RecordingReader,
  edit: Edit | null,
): Promise<Diagnosed<Compiled | null>> {
  const { entries, documents } = loadEntries(edit?.changed ?? listed, reader);
  // Only `ridl check` gives advice. Here, only rules that are set to `error`
  // matter.
  const lint = withoutAdvice(config.lint);
  const rules = await loadRules(lint.rules);
  const { value, diagnostics, checked } = compileDocuments(
    entries,
    documents,
    (found) => lintContract(found, lint, rules),
    reader,
  );
  if (value === null) return { value, diagnostics };
  const { value: contract, diagnostics: unmatched } = applyFilter(
    value,
    config,
  );
  const unknown = findUnknownNames(config, value);
  const found = [...diagnostics, ...unknown, ...unmatched];
  if (contract === null) return { value: null, diagnostics: found };
  const plan =
    edit === null
      ? createPlan(contract, config.options)
      : planAmongOthers(contract, config.options, edit.parts);
  return { value: { plan, documents, checked }, diagnostics: found };
}

/** Finds settings of targets that do not suit the contract. */
function findUnsuitable(
  targets: readonly Target[],
  config: Config,
  contract: Contract,
): readonly Diagnostic[] {
  return targets.flatMap((target): readonly Diagnostic[] => {
    const fault = target.findFault?.(contract) ?? null;
    if (fault === null) return [];
    const { key, ...explained } = fault;
    const entry = config.targets.find(({ name }) => name === target.name);
    const location = entry?.keys.get(key) ?? entry?.location;
    return [{ severity: "error", ...explained, ...(location && { location }) }];
  });
}

/** Runs all emitters. Those that work by unit run only for edited units. */
async function emitFiles(
  { config }: Project,
  { checked, documents, plan }: Compiled,
  emitters: readonly LoadedEmitter[],
  edited: EditedUnits | null,
  system: System,
): Promise<Diagnosed<GeneratedFiles>> {
  const { contract, options } = plan;
  const own =
    emitters.length === 0 ? null : await import("./emitter-output.js");
  const runs = await Promise.all(
    emitters.flatMap((each) => own?.runEmitter(each, contract, options) ?? []),
  );
  const others = runs.map((run) => run.value);
  const needed = others.flatMap(({ needs }) => [...needs]);
  const chosen = await selectTargets([
    ...config.targets,
    ...needed.map((name) => ({ name })),
  ]);
  const unsuitable = findUnsuitable(chosen, config, contract);
  if (unsuitable.length > 0) {
    const none = { files: [], kept: new Map(), parts: null };
    return { value: none, diagnostics: unsuitable };
  }
  const targets = chosen.map(({ name }) => name);
  const isEdit = edited?.edit.parts.targets.join() === targets.join();
  const units = isEdit ? edited.units : plan.units;
  const kept = isEdit ? otherUnitFiles(edited.edit, units) : new Map();

  const byUnit = chosen
    .filter(isUnitEmitter)
    .flatMap((each) => units.flatMap((unit) => each.emitUnit(plan, unit)));
  const context = await createContext(chosen, plan, checked, config, system);
  const byContract = chosen
    .filter((each) => !isUnitEmitter(each))
    .flatMap((each) => each.emit(contract, options, context));
  const theirs = new Set(others.flatMap((each) => each.files));
  const emitted = [...byUnit, ...byContract, ...theirs];
  const files = completeFiles(emitted, options, context);

  const ownFiles = files.filter((file) => !theirs.has(file));
  const paths = [...ownFiles.map(({ path }) => path), ...kept.keys()];
  const isByUnit = new Set(byUnit);
  const whole = files.flatMap((file) => (isByUnit.has(file) ? [] : file.path));
  const parts = isEdit
    ? { ...edited.edit.parts, whole }
    : describeParts(plan, config, documents, { targets, whole });
  return {
    value: { files, kept, parts },
    diagnostics: [
      ...runs.flatMap((run) => run.diagnostics),
      ...(own?.findClashes(paths, others) ?? []),
    ],
  };
}

/** Reads the texts that the chosen targets need besides the contract. */
async function createContext(
  targets: readonly Target[],
  { contract, options }: Plan,
  checked: CheckedContract,
  config: Config,
  system: System,
): Promise<EmitContext> {
  const isRead = (part: keyof EmitContext): boolean =>
    targets.some(({ reads = [] }) => reads.includes(part));
  const printing = isRead("schemas")
    ? await import("./print-schemas.js")
    : null;
  return {
    runtimeSources:
      options.runtime === "copy" ? readRuntime(system, options) : new Map(),
    outputFolder: config.out,
    ...(isRead("explorerFiles") && { explorerFiles: readExplorer(system) }),
    ...(printing && { schemas: printing.printSchemas(contract, checked) }),
  };
}
