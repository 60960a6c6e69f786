import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { findOrphans, isGenerated } from "./generated-files.js";
import { guessOutput } from "../config/config.js";
import { type AbsolutePath, parentOf, resolvePath } from "../system/paths.js";
import type { System } from "../system/system.js";
import type { Manifest } from "../project/manifest.js";
import { hashText, manifestName, withLineFeeds } from "../project/manifest.js";

/** A planned change to one file in the output folder. */
export interface FileChange {
  /** Path relative to the output folder. */
  readonly path: string;
  readonly kind: "create" | "update" | "keep" | "remove";
  /** New text, or null if the file is removed or was not read. */
  readonly text: string | null;
  /** Current text, or null if the file does not exist or was not read. */
  readonly current: string | null;
}

/** All changes that a run makes to the output folder. */
export interface OutputChanges {
  /** Changes in path order, with the manifest last. */
  readonly changes: readonly FileChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The output folder before a run. */
export interface OutputFolder {
  readonly path: AbsolutePath;
  /** Folder of the project. */
  readonly root: AbsolutePath;
  /** The configuration of the run, or null if there is none. */
  readonly configPath: string | null;
  /** The command that writes the folder. */
  readonly command: Manifest["command"];
  /** The manifest, or null if no run has written one. */
  readonly manifest: Manifest | null;
  /** Whether arguments replace parts of the configuration. */
  readonly isPartial?: boolean;
  /** Paths of files that are known to be up to date without reading them. */
  readonly untouched?: readonly string[];
}

/**
 * Compares emitted files with the files on disk.
 *
 * The run stops if it would overwrite a file that is not in the manifest and
 * does not begin like a generated file, or if the folder contains the output of
 * another command or configuration (`foreign-file`). A file that an earlier run
 * wrote and that is no longer emitted is kept if it was edited (`edited-file`). A
 * file that begins like a generated file but belongs to no run is also kept
 * (`orphaned-file`).
 *
 * With `isForced`, foreign files are replaced, and orphaned files are removed.
 * `show` returns the displayed
 * path of a file.
 */
export function findChanges(
  files: readonly OutputFile[],
  output: OutputFolder,
  isForced: boolean,
  show: (path: string) => string,
  system: Pick<System, "readText" | "listFolder">,
): OutputChanges {
  const { path: folder, manifest, untouched = [] } = output;
  const read = (path: string): string | null =>
    system.readText(resolvePath(folder, path));
  const known = new Set([...untouched, ...files.map(({ path }) => path)]);
  const stale = [...(manifest?.files ?? [])].flatMap(([path, hash]) => {
    const current = known.has(path) ? null : read(path);
    if (current === null) return [];
    return [{ path, current, isEdited: hashText(current) !== hash }];
  });
  // If a file system ignores case, `Item.ts` and `item.ts` are the same file.
  const texts = new Map(
    stale
      .filter(({ isEdited }) => !isEdited)
      .map(({ path, current }) => [path.toLowerCase(), current] as const),
  );
  const isRenamed = (path: string, current: string | null): boolean =>
    current !== null && texts.get(path.toLowerCase()) === current;
  const written = files.map(({ path, text }) => {
    const change = changeOf(path, text, read(path));
    // A file that is removed under its old name must be written again.
    return change.kind === "keep" && isRenamed(path, change.current)
      ? { ...change, kind: "update" as const }
      : change;
  });
  const lost = stale.filter(({ isEdited }) => !isEdited).length;
  const owned = [...known, ...stale.map(({ path }) => path)];
  const orphans = findOrphans(folder, owned, system);
  const foreign = written.filter(
    ({ path, kind, current }) =>
      kind === "update" &&
      path !== manifestName &&
      manifest?.files.has(path) !== true &&
      !isRenamed(path, current) &&
      !isGenerated(current ?? ""),
  );
  return {
    changes: [
      ...written,
      ...stale
        .filter(({ isEdited }) => !isEdited)
        .map(({ path, current }) => changeTo("remove", path, current)),
      ...untouched.map((path) => changeTo("keep", path, null)),
      ...(isForced ? orphans : []).map(({ path, text }) =>
        changeTo("remove", path, text),
      ),
    ].sort(byPath),
    diagnostics: [
      ...(isForced ? [] : reportOthers(output, show, system)),
      ...(isForced ? [] : foreign.map(({ path }) => reportForeign(show(path)))),
      ...stale
        .filter(({ isEdited }) => isEdited)
        .map(({ path }) => reportEdited(show(path))),
      ...(output.isPartial && lost > 0 ? [reportLost(show(""), lost)] : []),
      ...(isForced ? [] : orphans).map(({ path }) => reportOrphan(show(path))),
    ],
  };
}

function changeOf(
  path: string,
  text: string,
  current: string | null,
): FileChange {
  if (current === null) return { path, kind: "create", text, current };
  // Emitters and templates may also have CRLF.
  const isSame =
    current === text || withLineFeeds(current) === withLineFeeds(text);
  return { path, kind: isSame ? "keep" : "update", text, current };
}

/** Creates the change for a file that is kept or removed. */
function changeTo(
  kind: "keep" | "remove",
  path: string,
  current: string | null,
): FileChange {
  return { path, kind, text: null, current };
}

function byPath(left: FileChange, right: FileChange): number {
  if (left.path === manifestName) return 1;
  if (right.path === manifestName) return -1;
  return left.path < right.path ? -1 : 1;
}

function reportForeign(path: string): Diagnostic {
  return {
    code: "foreign-file",
    severity: "error",
    message: `\`${path}\` already exists, and ridl did not write it`,
    help: "move it, choose another output folder, or replace it with `--force`",
  };
}

/** Reports another command or configuration whose output the folder contains. */
function reportOthers(
  output: OutputFolder,
  show: (path: string) => string,
  system: Pick<System, "readText">,
): Diagnostic[] {
  const { command, manifest } = output;
  const other = manifest?.command ?? command;
  const owner = findOwner(output, system);
  return [
    ...(other === command ? [] : [`ridl ${other}`]),
    ...(owner === null ? [] : [show(owner)]),
  ].map((each) => reportOther(show(""), each));
}

/**
 * Returns the other configuration whose output the folder contains, or null. A
 * configuration that was renamed or that has another output folder owns none.
 */
function findOwner(
  { configPath, manifest, path, root }: OutputFolder,
  system: Pick<System, "readText">,
): AbsolutePath | null {
  if (manifest === null) return null;
  const owner = resolvePath(path, manifest.config);
  if (configPath !== null && owner === resolvePath(root, configPath))
    return null;
  const text = system.readText(owner);
  if (text === null) return null;
  // Packages have their folder from a flag.
  if (manifest.command === "package") return owner;
  const out = resolvePath(parentOf(owner), guessOutput(text));
  return out === path ? owner : null;
}

function reportOther(folder: string, other: string): Diagnostic {
  return {
    code: "foreign-file",
    severity: "error",
    message: `\`${folder}\` contains the output of \`${other}\``,
    help: "choose another output folder, or replace its contents with `--force`",
  };
}

function reportEdited(path: string): Diagnostic {
  return {
    code: "edited-file",
    severity: "warning",
    message: `\`${path}\` is no longer generated; it was kept because it was edited`,
    help: "remove it if you no longer need it",
  };
}

function reportLost(folder: string, count: number): Diagnostic {
  return {
    code: "drift",
    severity: "warning",
    message: `\`${folder}\` loses ${count} ${count === 1 ? "file" : "files"} that the arguments leave out`,
    help: "choose another folder with `--out`, or run `ridl generate` to write them again",
  };
}

function reportOrphan(path: string): Diagnostic {
  return {
    code: "orphaned-file",
    severity: "warning",
    message: `\`${path}\` begins like a generated file, but ridl does not generate it`,
    help: "remove it with `--force`; to keep it as your own, remove its first line",
  };
}
