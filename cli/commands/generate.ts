import { applyChanges, type OutputFlags } from "../output/apply-changes.js";
import {
  areUnchanged,
  createManifestFile,
  findChanged,
  readManifest,
} from "../output/up-to-date.js";
import { hashText, type Manifest } from "../project/manifest.js";
import type { Edit } from "../project/edited-hosts.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { foldersOf, openProject } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { createRecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, hasErrors } from "../report/report.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import { type System, UsageError } from "../system/system.js";
import type { RunResult } from "./watch.js";

/** Flags of `ridl generate`. */
export interface GenerateFlags extends ProjectFlags, OutputFlags {
  readonly watch?: boolean;
  /** Commands that run while `watch` does. */
  readonly run: readonly string[];
}

/** State that the steps of one run share. */
interface Run {
  readonly project: Project;
  /** The output folder. */
  readonly out: AbsolutePath;
  readonly documents: RecordingReader;
  readonly manifest: Manifest | null;
  /** Whether arguments replace parts of the configuration. */
  readonly isPartial: boolean;
  readonly flags: GenerateFlags;
  readonly system: System;
}

/** `ridl generate`: updates the output folder, or reports drift. */
export async function generate(
  patterns: readonly string[],
  flags: GenerateFlags,
  system: System,
): Promise<number> {
  const run = (to: System): Promise<RunResult> =>
    runGenerate(patterns, flags, to);
  if (flags.watch !== true) {
    if (flags.run.length > 0) throw new UsageError("`--run` needs `--watch`");
    return (await run(system)).exitCode;
  }
  const { watchRuns } = await import("./watch.js");
  return watchRuns(run, flags.format, system, flags.run);
}

async function runGenerate(
  patterns: readonly string[],
  flags: GenerateFlags,
  system: System,
): Promise<RunResult> {
  const opened = await openProject(patterns, flags, system);
  const project = opened.value;
  if (project === null || hasErrors(opened.diagnostics)) {
    const exitCode = conclude(opened.diagnostics, flags.format, system);
    const folders = project ? foldersOf(project) : [];
    return { exitCode, folders, inputs: new Map() };
  }
  const out = resolvePath(project.root, project.config.out);
  const { configPath } = project;
  const { compat, ignore, match, out: givenOut, service, unused } = flags;
  const changed = [compat, ignore, match, givenOut, service, unused];
  const isAsConfigured =
    patterns.length === 0 && changed.every((flag) => flag === undefined);
  const run: Run = {
    project,
    out,
    isPartial: configPath !== null && !isAsConfigured && givenOut === undefined,
    documents: createRecordingReader(project, system),
    manifest: readManifest(out, system),
    flags,
    system,
  };
  // Record the configuration as an input, so that later runs do not have to
  // parse it if it is unchanged.
  if (isAsConfigured && configPath !== null) run.documents.read(configPath);
  const exitCode = await regenerateStale(run);
  const { reads } = run.documents;
  return {
    exitCode,
    folders: foldersOf(project, [...reads.keys()]),
    inputs: new Map(
      [...reads]
        .filter(([path]) => !path.endsWith("/"))
        .map(([path, text]) => [resolvePath(project.root, path), text]),
    ),
  };
}

/**
 * Regenerates what is out of date according to the manifest. With `--check`,
 * `--dry-run`, or `--force`, regenerates everything.
 */
async function regenerateStale(run: Run): Promise<number> {
  const { documents, flags, system, manifest, out, project } = run;
  const { check, dryRun, force } = flags;
  const isFull = check === true || dryRun === true || force === true;
  if (isFull || manifest === null) return regenerate(run);
  const isKept = (path: string, hash: string): boolean => {
    const text = documents.read(path);
    return text !== null && hashText(text) === hash;
  };
  const changed = findChanged(project, isKept, manifest, system);
  if (changed === null || !areUnchanged(manifest.files, out, system)) {
    return regenerate(run);
  }
  const { files, separateHosts } = manifest;
  if (changed.length > 0) {
    const edit = separateHosts && { separateHosts, files, changed };
    return regenerate(run, edit);
  }
  // In watch mode, do not print `nothing changed` after every save.
  const lines = flags.watch === true ? [] : ["nothing changed"];
  return conclude([], flags.format, system, () => lines);
}

async function regenerate(run: Run, edit: Edit | null = null): Promise<number> {
  const { project, documents, flags, isPartial, manifest, out, system } = run;
  // Loaded on demand, because a run that changes nothing needs neither the
  // parser nor the emitters, which take longer to load than everything else.
  system.beforeWork();
  const { generateFiles } = await import("../project/pipeline.js");
  const { value, diagnostics } = await generateFiles(
    project,
    documents,
    system,
    edit,
  );
  const found = rebaseDiagnostics(diagnostics, project, system);
  if (value === null) return conclude(found, flags.format, system);
  const files = [
    ...value.files,
    createManifestFile("generate", value, project, documents, system),
  ];
  const untouched = [...value.kept.keys()];
  return applyChanges(
    files,
    found,
    {
      path: out,
      root: project.root,
      configPath: project.configPath,
      command: "generate",
      manifest,
      isPartial,
      untouched,
    },
    flags,
    system,
  );
}
