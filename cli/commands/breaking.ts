import { basename } from "node:path/posix";
import {
  type BreakingFinding,
  reportChanges,
} from "../../tools/breaking/index.js";
import type { Source } from "../../generator/source/source.js";
import { exitCodes } from "../system/exit-codes.js";
import { type System, UsageError } from "../system/system.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import {
  findConfig,
  type ProjectFlags,
  readConfigFile,
} from "../project/project.js";
import {
  moveConfig,
  openVersion,
  type OpenedVersion,
} from "../releases/open-version.js";
import { openPast, type ProjectRevision } from "../project/revision.js";
import { renameSources } from "../report/rebase.js";
import { conclude, hasErrors, type Format } from "../report/report.js";
import { withContract } from "./with-contract.js";

/** Flags of `ridl breaking`. */
export interface BreakingFlags extends ProjectFlags {
  /** A git revision or a folder. */
  readonly against?: string;
  /** Whether new clients must also work with old servers. */
  readonly strict?: boolean;
  /** Whether the history of the contract is written instead. */
  readonly record?: boolean;
  /** A file with the calls of each version, to say which of them break. */
  readonly inUse?: string;
  /** Whether notes are also shown. */
  readonly all?: boolean;
  /** `markdown` is for pull request comments and changelog entries. */
  readonly format: Format | "markdown";
  /** Level of the first Markdown heading. */
  readonly headingLevel: number;
}

/**
 * `ridl breaking`: reports changes that break existing clients and servers, or
 * writes or reads the history of the contract.
 * Errors: those of {@link openProject} and {@link openPast}, and a
 * {@link UsageError} if the earlier folder has no contract.
 */
export async function breaking(
  patterns: readonly string[],
  flags: BreakingFlags,
  system: System,
): Promise<number> {
  if (flags.record === true) {
    const { recordContracts } = await import("../releases/record-contracts.js");
    return recordContracts(patterns, flags, system);
  }
  const { inUse } = flags;
  if (inUse !== undefined) {
    const { reportInUse } = await import("../releases/in-use.js");
    const format = flags.format === "markdown" ? "text" : flags.format;
    return withContract(patterns, flags, format, system, (opened) =>
      reportInUse(opened, inUse, system),
    );
  }
  return compareWithPast(patterns, flags, system);
}

/** Compares the contract with an earlier version. */
async function compareWithPast(
  patterns: readonly string[],
  flags: BreakingFlags,
  system: System,
): Promise<number> {
  // With `markdown`, errors in documents are printed as text.
  const format = flags.format === "markdown" ? "text" : flags.format;
  const label = (path: AbsolutePath): string =>
    pathFrom(system.workingFolder, path);
  const config = findConfig(flags, system);
  const present = { system, label, config, mayLack: false };
  const now = await openVersion(patterns, flags, present);
  const after = now.value;
  if (after === null) return conclude(now.diagnostics, format, system);
  const settings = after.project.config.breaking;
  const past = openPast(flags.against ?? settings.against, system);
  const then = readConfigFile(flags, past.system);
  const before = await openVersion(patterns, flags, {
    ...past,
    config: then ?? moveConfig(config, system, past.system),
    mayLack: then === null || patterns.length > 0,
  });
  if (before.value === null) {
    if (hasErrors(before.diagnostics)) {
      return conclude(before.diagnostics, format, system);
    }
    if (past.isFolder) {
      throw new UsageError(
        `folder \`${past.name}\` has no contract`,
        "documents must have the same paths in it as in this project",
      );
    }
    return show([reportAbsent(after, past)], past, flags, system);
  }

  const { config: current } = after.project;
  const found = reportChanges(
    before.value.checked,
    after.checked,
    { ...settings, isStrict: flags.strict ?? settings.isStrict },
    current.options,
    before.value.project.config.options,
  );
  const shown = found.filter(
    ({ severity }) => flags.all === true || severity !== "info",
  );
  const places = new Map([
    ...labelSources(before.value, past.label),
    ...labelSources(after, label),
  ]);
  const labelled = [
    ...before.value.lacking.map((path) =>
      reportLacking(path, after, past, patterns.length > 0),
    ),
    ...renameSources(shown, (source) => places.get(source) ?? ""),
  ];
  return show(labelled, past, flags, system, [
    `compared with ${past.name}: nothing breaks`,
  ]);
}

/** Prints findings. `lines` are for people, unless there are errors. */
async function show(
  findings: readonly BreakingFinding[],
  { name }: ProjectRevision,
  { format, headingLevel }: BreakingFlags,
  system: System,
  lines: readonly string[] = [],
): Promise<number> {
  if (format !== "markdown") {
    return conclude(findings, format, system, () => lines);
  }
  const { printBreakingMarkdown } =
    await import("../report/breaking-markdown.js");
  const head = { name, level: headingLevel };
  system.stdout.write(printBreakingMarkdown(findings, head));
  return hasErrors(findings) ? exitCodes.failure : exitCodes.success;
}

const compareFolders =
  "if the contract was moved, check out the old version and compare with its folder: `--against ../before`";

/**
 * Reports that a revision has none of the documents. If it had one of the same
 * file or contract that no longer exists, the contract may have moved, so that is
 * an error.
 */
function reportAbsent(
  now: OpenedVersion,
  past: ProjectRevision,
): BreakingFinding {
  const gone = findGone(now.project.documents, now, past);
  return gone === null
    ? reportMissing(
        "info",
        `${past.name} has no contract, so nothing was compared`,
      )
    : reportMissing(
        "error",
        `${past.name} has none of these documents, but ${gone}`,
        compareFolders,
      );
}

/** Reports the same about one of several documents. */
function reportLacking(
  path: string,
  now: OpenedVersion,
  past: ProjectRevision,
  isGiven: boolean,
): BreakingFinding {
  const gone = findGone([path], now, past);
  const nameNone =
    "if it was renamed, name no documents, so that all are compared";
  return gone === null
    ? reportMissing(
        "info",
        `\`${path}\` is not in ${past.name}, so its old version was not compared`,
        isGiven ? nameNone : undefined,
      )
    : reportMissing(
        "error",
        `\`${path}\` is not in ${past.name}, but ${gone}`,
        isGiven ? nameNone : compareFolders,
      );
}

/**
 * Names a document that a revision had, that has the file name of one of these or
 * describes a host of the contract, and that is gone. Returns null if there is none.
 */
function findGone(
  paths: readonly string[],
  { checked: { hosts } }: OpenedVersion,
  past: ProjectRevision,
): string | null {
  const names = new Set(paths.map((path) => basename(path)));
  const isNamed = (path: string): boolean => names.has(basename(path));
  const describesHost = (path: AbsolutePath): boolean => {
    const text = past.system.readText(path) ?? "";
    const [, name] = /^name\s*=\s*(\S+)/mu.exec(text) ?? [];
    return hosts.some((host) => host.name === name);
  };
  const found = past.listGone(
    (path) => isNamed(path) || path.endsWith(".ridl"),
  );
  const gone = found.find(isNamed) ?? found.find(describesHost);
  return gone === undefined ? null : `\`${past.label(gone)}\`, which is gone`;
}

function reportMissing(
  severity: "info" | "error",
  message: string,
  help?: string,
): BreakingFinding {
  return {
    code: "no-documents",
    severity,
    message,
    ...(help !== undefined && { help }),
    isReceived: false,
  };
}

function labelSources(
  { project, checked }: OpenedVersion,
  label: ProjectRevision["label"],
): readonly (readonly [Source, string])[] {
  return checked.documents.map(({ syntax: { source } }) => [
    source,
    label(resolvePath(project.root, source.path)),
  ]);
}
