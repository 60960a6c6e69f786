import { join, resolve } from "node:path";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { System } from "../system/system.js";
import { reportDrift } from "../output/drift.js";
import { hashText, type Manifest } from "../project/manifest.js";
import type { FileChange } from "../output/changes.js";
import { findChanges } from "../output/changes.js";
import { printChanges } from "../output/summary.js";
import {
  areKept,
  createManifestFile,
  findChanged,
  readManifest,
} from "../output/up-to-date.js";
import { writeChanges } from "../output/write.js";
import { pathFrom } from "../system/paths.js";
import type { Edit } from "../project/parts.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { foldersOf, openProject } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { createRecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import type { Format } from "../report/report.js";
import { hasErrors, report } from "../report/report.js";
import { say } from "../report/say.js";
import type { RunResult } from "./watch.js";

/** Flags of `ridl generate`. */
export interface GenerateFlags extends ProjectFlags {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly watch?: boolean;
  readonly format: Format;
}

/** What the steps of one run share. */
interface Run {
  readonly project: Project;
  /** Absolute output folder. */
  readonly out: string;
  readonly documents: RecordingReader;
  readonly manifest: Manifest | null;
  readonly flags: GenerateFlags;
  readonly system: System;
}

/**
 * `ridl generate`: brings the output folder in line with the documents, or
 * says what is out of line. Output: the exit code.
 */
export async function generate(
  patterns: readonly string[],
  flags: GenerateFlags,
  system: System,
): Promise<number> {
  const run = (to: System): Promise<RunResult> =>
    runGenerate(patterns, flags, to);
  if (flags.watch !== true) return (await run(system)).exitCode;
  const { watchRuns } = await import("./watch.js");
  return watchRuns(run, flags.format, system);
}

async function runGenerate(
  patterns: readonly string[],
  flags: GenerateFlags,
  system: System,
): Promise<RunResult> {
  const { value: project, diagnostics } = await openProject(
    patterns,
    flags,
    system,
  );
  if (project === null || hasErrors(diagnostics)) {
    report(diagnostics, flags.format, system);
    const folders = project ? foldersOf(project) : [];
    return { exitCode: 1, folders, inputs: new Map() };
  }
  const out = resolve(project.root, project.config.out);
  const run: Run = {
    project,
    out,
    documents: createRecordingReader(project, system),
    manifest: readManifest(out, system),
    flags,
    system,
  };
  const { configPath } = project;
  const { compat, out: givenOut } = flags;
  const isAsConfigured =
    patterns.length === 0 && compat === undefined && givenOut === undefined;
  // An input as well: while its text is the same, no run has to parse it.
  if (isAsConfigured && configPath !== null) run.documents.read(configPath);
  const exitCode = await bringInLine(run);
  const { reads } = run.documents;
  return {
    exitCode,
    folders: foldersOf(project, [...reads.keys()]),
    inputs: new Map(
      [...reads].map(([path, text]) => [join(project.root, path), text]),
    ),
  };
}

/** `--check` and `--dry-run` compare in full, and never trust the manifest. */
async function bringInLine(run: Run): Promise<number> {
  const { documents, flags, system, manifest, out, project } = run;
  const { check, dryRun, force } = flags;
  const isFull = check === true || dryRun === true || force === true;
  if (isFull || manifest === null) return regenerate(run);
  const isKept = (path: string, hash: string): boolean => {
    const text = documents.read(path);
    return text !== null && hashText(text) === hash;
  };
  const changed = findChanged(project, isKept, manifest, system);
  if (changed === null || !areKept(manifest.files, out, system)) {
    return regenerate(run);
  }
  if (changed.length === 0) return reportDone(run);
  const { files, parts } = manifest;
  return regenerate(run, parts && { parts, files, changed });
}

function reportDone({ flags, system }: Run): number {
  report([], flags.format, system);
  // Whoever watches need not be told at every keystroke.
  if (flags.watch !== true) say(["nothing changed"], flags.format, system);
  return 0;
}

async function regenerate(run: Run, edit: Edit | null = null): Promise<number> {
  const { project, documents, flags, system } = run;
  // Loaded on demand: a run that changes nothing needs neither parser nor
  // emitters, which cost more than all the rest.
  await system.beforeWork();
  const { generateFiles } = await import("../project/pipeline.js");
  const { value, diagnostics } = await generateFiles(
    project,
    documents,
    system,
    edit,
  );
  const rebased = rebaseDiagnostics(
    diagnostics,
    project.root,
    system.workingFolder,
  );
  if (value === null) {
    report(rebased, flags.format, system);
    return 1;
  }
  const manifest = createManifestFile(value, project, documents, system);
  const untouched = [...value.kept.keys()];
  return carryOut([...value.files, manifest], rebased, run, untouched);
}

function carryOut(
  files: readonly OutputFile[],
  diagnostics: readonly Diagnostic[],
  { out, manifest, flags, system }: Run,
  untouched: readonly string[],
): number {
  const show = (path: string): string =>
    pathFrom(system.workingFolder, join(out, path));
  const isForced = flags.force === true;
  const options = { isForced, show, untouched };
  const output = findChanges(files, out, manifest, options, system);
  const shown = output.changes.map((change): FileChange => ({
    ...change,
    path: show(change.path),
  }));
  const drift = flags.check === true ? reportDrift(shown) : [];
  const found = [...diagnostics, ...output.diagnostics, ...drift];
  report(found, flags.format, system);
  if (hasErrors(found)) return 1;
  if (flags.check === true) say(["nothing changed"], flags.format, system);
  else {
    if (flags.dryRun !== true) writeChanges(output.changes, out, system);
    const isDetailed = flags.dryRun === true || system.stdout.isTerminal;
    const lines = printChanges(shown, system, isDetailed);
    say(lines, flags.format, system);
  }
  return 0;
}
