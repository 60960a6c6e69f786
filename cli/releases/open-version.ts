import {
  checkContract,
  type CheckedContract,
} from "../../generator/2-check/index.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import { loadEntries } from "../../generator/1-parse/load/select-entries.js";
import {
  type ConfigFile,
  openProject,
  type Project,
  type ProjectFlags,
} from "../project/project.js";
import { createRecordingReader } from "../project/recording-reader.js";
import type { ProjectRevision } from "../project/revision.js";
import { renameSources } from "../report/rebase.js";
import { hasErrors } from "../report/report.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";

/** The contract in one version of its files. */
export interface OpenedVersion {
  readonly project: Project;
  readonly checked: CheckedContract;
  /** Listed documents that the version does not have. */
  readonly lacking: readonly string[];
}

/** Where the files of a version are read from. */
export interface VersionFiles extends Pick<
  ProjectRevision,
  "system" | "label"
> {
  readonly config: ConfigFile;
  /**
   * Whether listed documents may be missing because they are newer than the
   * version.
   */
  readonly mayLack: boolean;
}

/** Applies the current configuration to an old version that has none. */
export function moveConfig(
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
export async function openVersion(
  patterns: readonly string[],
  flags: ProjectFlags,
  { system, label, config, mayLack }: VersionFiles,
): Promise<Diagnosed<OpenedVersion | null>> {
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
  const lacking = project.documents.filter(
    (path) => mayLack && system.readText(resolvePath(root, path)) === null,
  );
  const listed = project.documents.filter((path) => !lacking.includes(path));
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
    : { value: { project, checked, lacking }, diagnostics: [] };
}
