import { checkContract, type CheckedContract } from "../../2-check/index.js";
import { reportChanges } from "../../breaking/index.js";
import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";
import { exitCodes } from "../system/exit-codes.js";
import { type System, UsageError } from "../system/system.js";
import { loadEntries } from "../../1-parse/load/select-entries.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import type { ConfigFile, Project, ProjectFlags } from "../project/project.js";
import { findConfig, openProject, readConfigFile } from "../project/project.js";
import { createRecordingReader } from "../project/recording-reader.js";
import { openPast, type ProjectRevision } from "../project/revision.js";
import { renameSources } from "../report/rebase.js";
import { conclude, hasErrors, type Format } from "../report/report.js";

/** Flags of `ridl breaking`. */
export interface BreakingFlags extends ProjectFlags {
  /** A git revision or a folder. */
  readonly against?: string;
  /** Whether new clients must also work with old servers. */
  readonly strict?: boolean;
  /** Whether notes are also shown. */
  readonly all?: boolean;
  /** `markdown` is for pull request comments and changelog entries. */
  readonly format: Format | "markdown";
  /** Level of the first Markdown heading. */
  readonly headingLevel: number;
}

/** The contract in one version of its files. */
interface Version {
  readonly project: Project;
  readonly checked: CheckedContract;
}

/**
 * `ridl breaking`: reports changes that break existing clients and servers.
 * Errors: those of {@link openProject} and {@link openPast}, and a
 * {@link UsageError} if the earlier folder has no contract.
 */
export async function breaking(
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
  if (now.value === null) {
    return conclude(now.diagnostics, format, system);
  }
  const settings = now.value.project.config.breaking;
  const past = openPast(flags.against ?? settings.against, system);
  const then = readConfigFile(flags, past.system);
  const before = await openVersion(patterns, flags, {
    ...past,
    config: {
      ...(then ?? moveConfig(config, system, past.system)),
      isPast: true,
    },
    mayLack: then === null || patterns.length > 0,
  });
  if (before.value === null) {
    if (past.isFolder && !hasErrors(before.diagnostics)) {
      throw new UsageError(
        `folder \`${past.name}\` has no contract`,
        "documents must have the same paths in it as in this project",
      );
    }
    return conclude(before.diagnostics, format, system, () => [
      `${past.name} has no contract`,
    ]);
  }

  const { config: current } = now.value.project;
  const found = reportChanges(
    before.value.checked,
    now.value.checked,
    { ...settings, isStrict: flags.strict ?? settings.isStrict },
    current.options,
    before.value.project.config.options,
  );
  const shown = found.filter(
    ({ severity }) => flags.all === true || severity !== "info",
  );
  const places = new Map([
    ...labelSources(before.value, past.label),
    ...labelSources(now.value, label),
  ]);
  const labelled = renameSources(shown, (source) => places.get(source) ?? "");
  if (flags.format === "markdown") {
    const { printBreakingMarkdown } =
      await import("../report/breaking-markdown.js");
    const head = { name: past.name, level: flags.headingLevel };
    system.stdout.write(printBreakingMarkdown(labelled, head));
    return hasErrors(labelled) ? exitCodes.failure : exitCodes.success;
  }
  return conclude(labelled, format, system, () => [
    `compared with ${past.name}: nothing breaks`,
  ]);
}

/** Where the files of a version are read from. */
interface VersionFiles extends Pick<ProjectRevision, "system" | "label"> {
  readonly config: ConfigFile;
  /**
   * Whether listed documents may be missing because they are newer than the
   * version.
   */
  readonly mayLack: boolean;
}

/** Applies the current configuration to an old version that has none. */
function moveConfig(
  config: ConfigFile,
  { workingFolder }: System,
  past: System,
): ConfigFile {
  const root = resolvePath(
    past.workingFolder,
    pathFrom(workingFolder, config.root),
  );
  return { ...config, root };
}

/**
 * Reads and checks the documents of one version. Returns null after errors, or
 * if there are no documents and `mayLack` allows that.
 */
async function openVersion(
  patterns: readonly string[],
  flags: BreakingFlags,
  { system, label, config, mayLack }: VersionFiles,
): Promise<Diagnosed<Version | null>> {
  const fail = (found: readonly Diagnostic[], folder: AbsolutePath) => ({
    value: null,
    diagnostics: renameSources(found, ({ path }) =>
      label(resolvePath(folder, path)),
    ),
  });
  const opened = await openProject(patterns, flags, system, config);
  const project = opened.value;
  const faults = opened.diagnostics.filter(
    ({ code }) => !mayLack || code !== "no-documents",
  );
  if (project === null || hasErrors(faults)) {
    return fail(faults, system.workingFolder);
  }
  const { root } = project;
  const listed = project.documents.filter(
    (path) => !mayLack || system.readText(resolvePath(root, path)) !== null,
  );
  if (listed.length === 0) return { value: null, diagnostics: [] };
  const reader = createRecordingReader(project, system);
  const { entries, documents } = loadEntries(listed, reader);
  const { value: checked, diagnostics } = checkContract(
    entries,
    documents,
    reader,
  );
  return hasErrors(diagnostics)
    ? fail(diagnostics, root)
    : { value: { project, checked }, diagnostics: [] };
}

function labelSources(
  { project, checked }: Version,
  label: ProjectRevision["label"],
): readonly (readonly [Source, string])[] {
  return checked.documents.map(({ syntax: { source } }) => [
    source,
    label(resolvePath(project.root, source.path)),
  ]);
}
