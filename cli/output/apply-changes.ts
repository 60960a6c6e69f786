import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { conclude, type Format } from "../report/report.js";
import { pathFrom, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";
import { type FileChange, findChanges, type OutputFolder } from "./changes.js";
import {
  refuseLinkedFolders,
  refuseOutsideLink,
  writeChanges,
} from "./write.js";
import { hasColor } from "../report/color.js";
import {
  manifestName,
  nearestConfig,
  parseManifest,
  printManifest,
  withLineFeeds,
} from "../project/manifest.js";

/** Flags of commands that write an output folder. */
export interface OutputFlags {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

/**
 * Writes files to an output folder, or only reports what would change. Returns
 * the exit code.
 */
export function applyChanges(
  files: readonly OutputFile[],
  diagnostics: readonly Diagnostic[],
  folder: OutputFolder,
  { check, dryRun, force, format }: OutputFlags,
  system: System,
): number {
  refuseOutsideLink(folder, system);
  const show = (file: string): string =>
    pathFrom(system.workingFolder, resolvePath(folder.path, file));
  const output = findChanges(files, folder, force === true, show, system);
  // A run that only reports changes must not approve of what a run refuses.
  refuseLinkedFolders(output.changes, folder.path, system);
  const shown = output.changes.map((change): FileChange => ({
    ...change,
    path: show(change.path),
  }));
  const drift = check === true ? reportDrift(shown) : [];
  // The output of a fresh run would not contain the file.
  const faults = output.diagnostics.map((each) =>
    check === true && each.code === "orphaned-file"
      ? { ...each, severity: "error" as const }
      : each,
  );
  const found = [...diagnostics, ...faults, ...drift];
  return conclude(found, format, system, () => {
    if (check === true) return ["nothing changed"];
    if (dryRun !== true) writeChanges(output.changes, folder.path, system);
    const isDetailed = dryRun === true || system.stdout.isTerminal;
    return printChanges(shown, system, isDetailed);
  });
}

const labels = {
  create: { text: "create", color: "\u001B[32m" },
  update: { text: "update", color: "\u001B[33m" },
  remove: { text: "remove", color: "\u001B[31m" },
} as const;

/**
 * Describes what a run did or would do.
 * Input: changes with displayed paths. `isDetailed` adds a line for each
 * changed file to the total.
 * Returns lines, e.g. `create generated/client.ts`, and the total, e.g. `12
 * files: 1 created, 11 unchanged`.
 */
function printChanges(
  changes: readonly FileChange[],
  system: System,
  isDetailed: boolean,
): string[] {
  if (!isDetailed) return [printTotal(changes)];
  const isColored = hasColor(system.stdout, system);
  const lines = changes.flatMap(({ kind, path }) => {
    if (kind === "keep") return [];
    const { text, color } = labels[kind];
    return [`${isColored ? `${color}${text}\u001B[39m` : text} ${path}`];
  });
  return [...lines, printTotal(changes)];
}

function printTotal(changes: readonly FileChange[]): string {
  const count = (kind: FileChange["kind"]): number =>
    changes.filter((change) => change.kind === kind).length;
  const parts = [
    { count: count("create"), text: "created" },
    { count: count("update"), text: "updated" },
    { count: count("keep"), text: "unchanged" },
    { count: count("remove"), text: "removed" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, text }) => `${count} ${text}`);
  const total = changes.length - count("remove");
  const files = `${total} ${total === 1 ? "file" : "files"}`;
  return parts.length === 0 ? files : `${files}: ${parts.join(", ")}`;
}

/** Reports each file that a run would change, for `--check`. */
function reportDrift(changes: readonly FileChange[]): Diagnostic[] {
  return changes.flatMap((change) => {
    switch (change.kind) {
      case "keep":
        return [];
      case "create":
        return [drift(`\`${change.path}\` is missing`)];
      case "remove":
        return [drift(`\`${change.path}\` is no longer generated`)];
      case "update":
        return hasOnlyInputChanges(change) ? [] : [reportDifference(change)];
    }
  });
}

/**
 * Whether a manifest differs only in hashes of inputs, digests of hosts, or the
 * name of the configuration. Formatting and private comments change these hashes
 * but not the output.
 */
function hasOnlyInputChanges({ path, text, current }: FileChange): boolean {
  if (!path.endsWith(manifestName)) return false;
  const [wanted, found] = [text, current].map((each) => {
    const manifest = parseManifest(each ?? "");
    return (
      manifest &&
      printManifest({
        ...manifest,
        config: nearestConfig,
        inputs: new Map(),
        separateHosts: null,
      })
    );
  });
  return wanted !== null && wanted === found;
}

function drift(message: string): Diagnostic {
  return {
    code: "drift",
    severity: "error",
    message,
    help: "run `ridl generate` and commit the result",
  };
}

/** Reports the first line that differs. */
function reportDifference({ path, text, current }: FileChange): Diagnostic {
  const source = { path, text: withLineFeeds(current ?? "") };
  const wanted = withLineFeeds(text ?? "").split("\n");
  const found = source.text.split("\n");
  const index = found.findIndex((line, index) => line !== wanted[index]);
  const line = index === -1 ? found.length - 1 : index;
  const start = found
    .slice(0, line)
    .reduce((offset, { length }) => offset + length + 1, 0);
  const end = start + (found[line] ?? "").length;
  return {
    ...drift(`\`${path}\` does not match the documents`),
    location: { source, span: { start, end } },
    notes: [`expected ${describeLine(line, wanted)}`],
  };
}

function describeLine(index: number, wanted: readonly string[]): string {
  const line = wanted[index] ?? "";
  if (line !== "") return `\`${line}\``;
  return index < wanted.length - 1 ? "an empty line" : "the end of the file";
}
