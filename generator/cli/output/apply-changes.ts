import { join } from "node:path";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { conclude, type Format } from "../report/report.js";
import { pathFrom } from "../system/paths.js";
import type { System } from "../system/system.js";
import { type FileChange, findChanges, type OutputFolder } from "./changes.js";
import { reportDrift } from "./drift.js";
import { printChanges } from "./summary.js";
import { writeChanges } from "./write.js";

/** Flags of commands that write an output folder. */
export interface OutputFlags {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

/**
 * Writes files to an output folder, or only reports what would change. Also
 * reports the diagnostics of earlier stages.
 * Returns the exit code.
 */
export function applyChanges(
  files: readonly OutputFile[],
  diagnostics: readonly Diagnostic[],
  folder: OutputFolder,
  { check, dryRun, force, format }: OutputFlags,
  system: System,
): number {
  const show = (file: string): string =>
    pathFrom(system.workingFolder, join(folder.path, file));
  const output = findChanges(files, folder, force === true, show, system);
  const shown = output.changes.map((change): FileChange => ({
    ...change,
    path: show(change.path),
  }));
  const drift = check === true ? reportDrift(shown) : [];
  const found = [...diagnostics, ...output.diagnostics, ...drift];
  return conclude(found, format, system, () => {
    if (check === true) return ["nothing changed"];
    if (dryRun !== true) writeChanges(output.changes, folder.path, system);
    const isDetailed = dryRun === true || system.stdout.isTerminal;
    return printChanges(shown, system, isDetailed);
  });
}
