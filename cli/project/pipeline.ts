import { completeFiles } from "../../generator/4-emit/emit.js";
import type { EmitContext } from "../../generator/4-emit/emitter/emitter.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import { selectTargets } from "../../generator/4-emit/select-targets.js";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";
import type { Config } from "../config/config.js";
import { hasErrors } from "../report/report.js";
import type { System } from "../system/system.js";
import {
  type CompiledProject,
  compileProject,
  findUnsuitable,
  readSkew,
} from "./compile-project.js";
import {
  describeHosts,
  type Edit,
  generateEditedHosts,
} from "./edited-hosts.js";
import type { LoadedEmitter } from "./emitter-modules.js";
import type { EmittedFiles } from "./emitter-output.js";
import type { GeneratedFiles } from "./manifest.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";
import { readExplorer, readRuntime } from "./runtime-sources.js";

/**
 * Runs the generator over a project, in memory. Import this module on demand,
 * because it loads every stage.
 *
 * If `edit` describes what changed since the output was written, generates only
 * the files of the edited hosts, provided that no others have to change.
 * Returns null if a document or a custom emitter has an error.
 */
export async function generateFiles(
  project: Project,
  reader: RecordingReader,
  system: System,
  edit: Edit | null = null,
): Promise<Diagnosed<GeneratedFiles | null>> {
  const part = edit && (await generateEditedHosts(edit, project, reader));
  if (part !== null) return { value: part, diagnostics: [] };
  const emitters = await loadOwnEmitters(project, reader, system);
  const compiled = await compileProject(project, project.documents, reader);
  const templates = await loadTemplates(project, reader);
  const found = [
    ...emitters.diagnostics,
    ...templates.diagnostics,
    ...compiled.diagnostics,
  ];
  if (compiled.value === null || hasErrors(found)) {
    return { value: null, diagnostics: found };
  }
  const { value, diagnostics } = await emitFiles(
    project,
    compiled.value,
    emitters.value,
    templates.value,
    reader,
    system,
  );
  found.push(...diagnostics);
  if (hasErrors(found)) return { value: null, diagnostics: found };
  // The next run has to repeat warnings.
  const { separateHosts } = found.length === 0 ? value : none;
  return { value: { ...value, separateHosts }, diagnostics: found };
}

const none: GeneratedFiles = {
  files: [],
  kept: new Map(),
  separateHosts: null,
};

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

/** Loads the templates that replace ridlkit's own, if there are any. */
async function loadTemplates(
  { config }: Project,
  reader: RecordingReader,
): Promise<Diagnosed<NonNullable<EmitContext["templates"]>>> {
  if (config.templates === null) return { value: new Map(), diagnostics: [] };
  const { readReplacedSets } = await import("./template-sets.js");
  return readReplacedSets(config, reader, await loadOwnSets());
}

/** Runs all emitters. */
async function emitFiles(
  project: Project,
  compiled: CompiledProject,
  emitters: readonly LoadedEmitter[],
  templates: NonNullable<EmitContext["templates"]>,
  reader: RecordingReader,
  system: System,
): Promise<Diagnosed<GeneratedFiles>> {
  const { config } = project;
  const { checked, contract } = compiled;
  const skew = await readSkew(config, compiled, reader);
  if (skew.value === null)
    return { value: none, diagnostics: skew.diagnostics };
  // Plans are remembered for each object.
  const options =
    config.skew === null
      ? config.options
      : { ...config.options, ...skew.value };
  const own =
    emitters.length === 0 ? null : await import("./emitter-output.js");
  const runs: Diagnosed<EmittedFiles>[] = [];
  // One after another, because interrupting one would also affect the others.
  for (const each of emitters) {
    if (own) runs.push(await own.runEmitter(each, contract, options));
  }
  const others = runs.map((run) => run.value);
  const needed = others.flatMap(({ needs }) => [...needs]);
  const targets = await selectTargets(
    [...config.targets, ...needed.map((name) => ({ name }))],
    contract,
  );
  const unsuitable = findUnsuitable(targets, config, contract);
  if (hasErrors(unsuitable)) return { value: none, diagnostics: unsuitable };
  const texts = await createContext(targets, compiled, config, system);
  const context = { ...texts, templates };
  const ours = targets.flatMap((each) => each.emit(contract, options, context));
  const theirs = new Set(others.flatMap(({ files }) => files));
  const files = completeFiles([...ours, ...theirs], options, context);
  const paths = files.flatMap((file) => (theirs.has(file) ? [] : file.path));
  const mapping = config.declarationMaps
    ? await import("./map-declarations.js")
    : null;
  const map = mapping?.mapDeclarations;
  return {
    value: {
      files:
        map?.(files, createPlan(contract, options), checked, project) ?? files,
      kept: none.kept,
      separateHosts: describeHosts(compiled, config, targets),
    },
    diagnostics: [
      ...skew.diagnostics,
      ...unsuitable,
      ...runs.flatMap((run) => run.diagnostics),
      ...(own?.findClashes(paths, others) ?? []),
    ],
  };
}

/** Reads the texts that the chosen targets need besides the contract. */
async function createContext(
  targets: readonly Target[],
  { checked, contract }: CompiledProject,
  { options, out }: Config,
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
    outputFolder: out,
    ...(isRead("explorerFiles") && { explorerFiles: readExplorer(system) }),
    ...(printing && { schemas: printing.printSchemas(contract, checked) }),
  };
}
