import { posix } from "node:path";
import type { ChangedDocument } from "../project/fix-documents.js";
import { foldersAbove } from "../system/paths.js";
import { type System, codeOf, FileError } from "../system/system.js";
import type { FileChange } from "./changes.js";

/** A change and where it takes place. */
interface PlacedChange extends Omit<FileChange, "path"> {
  /** Absolute path. */
  readonly place: string;
}

/** How the name of a file begins that is about to take its place. */
const stagedStart = ".ridl-new-";

/**
 * Carries out changes of an output folder, all or none: every new text is first
 * written beside its place, so that a full disk or a missing permission shows
 * before anything is replaced. After a fault, what was replaced is put back.
 * The folder itself may be a link. Below it, a linked file is replaced, and a
 * linked folder is refused: nothing outside is written or removed.
 *
 * Input: all changes, also of files that stay as they are: what a run that was
 * killed left beside them is removed.
 * Errors: throws the system's `FileError` after everything is as it was.
 */
export function writeChanges(
  changes: readonly FileChange[],
  folder: string,
  system: System,
): void {
  refuseLinkedFolders(changes, folder, system);
  const placed = changes.map(({ path, ...change }) => ({
    ...change,
    place: posix.join(folder, path),
  }));
  writePlaces(placed, system);
  for (const { path, kind } of changes) {
    if (kind !== "remove") continue;
    for (const parent of foldersAbove(path)) {
      system.removeEmptyFolder(posix.join(folder, parent));
    }
  }
}

function refuseLinkedFolders(
  changes: readonly FileChange[],
  folder: string,
  system: System,
): void {
  const folders = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  const link = [...folders]
    .map((path) => posix.join(folder, path))
    .find((place) => system.isLink(place));
  if (link === undefined) return;
  throw new FileError(
    link,
    "write",
    new Error("it is a link that may lead outside the output folder"),
    "replace the link with a folder, or remove it",
  );
}

/**
 * Replaces the texts of documents, all or none. Where a document is a link,
 * what it leads to is replaced.
 *
 * Errors: as {@link writeChanges}.
 */
export function writeDocuments(
  documents: readonly ChangedDocument[],
  folder: string,
  system: System,
): void {
  const changes = documents.map(({ path, before, after }) => ({
    kind: "update" as const,
    place: system.realPath(posix.join(folder, path)),
    text: after,
    current: before,
  }));
  writePlaces(changes, system);
}

function writePlaces(all: readonly PlacedChange[], system: System): void {
  removeLeftovers(all, system);
  const changes = all.filter(({ kind }) => kind !== "keep");
  const staged = new Map<PlacedChange, string>();
  const done: PlacedChange[] = [];
  try {
    for (const change of changes) stage(change, staged, system);
    for (const change of changes) {
      apply(change, staged, system);
      done.push(change);
    }
  } catch (error) {
    for (const change of done.reverse()) undo(change, system);
    for (const path of staged.values()) system.removeFile(path);
    throw error;
  }
}

/** Removes what runs that were killed have left; see {@link apply}. */
function removeLeftovers(
  changes: readonly PlacedChange[],
  system: System,
): void {
  const folders = new Set(changes.map(({ place }) => posix.dirname(place)));
  for (const folder of folders) {
    for (const { name, isFolder } of system.listFolder(folder) ?? []) {
      const isLeftover = !isFolder && name.startsWith(stagedStart);
      if (isLeftover) system.removeFile(posix.join(folder, name));
    }
  }
}

/** Writes beside the place, because renaming within a folder is atomic. */
function stage(
  change: PlacedChange,
  staged: Map<PlacedChange, string>,
  system: System,
): void {
  const { place, text } = change;
  if (text === null) return;
  const name = stagedStart + crypto.randomUUID();
  const path = posix.join(posix.dirname(place), name);
  try {
    system.createText(path, text);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // People know the place, not the name beside it.
    throw new FileError(place, "write", error.cause);
  }
  staged.set(change, path);
}

/** How many other runs may remove what this one has staged. */
const maxLosses = 10;

function apply(
  change: PlacedChange,
  staged: Map<PlacedChange, string>,
  system: System,
): void {
  const { place } = change;
  for (let losses = 0; ; losses += 1) {
    const from = staged.get(change);
    if (from === undefined) return system.removeFile(place);
    try {
      return system.rename(from, place);
    } catch (error) {
      // A run that began meanwhile took the staged file for a leftover.
      const isLost =
        error instanceof FileError && codeOf(error.cause) === "ENOENT";
      if (!isLost || losses === maxLosses) throw error;
      stage(change, staged, system);
    }
  }
}

function undo({ current, place }: PlacedChange, system: System): void {
  if (current === null) system.removeFile(place);
  else system.writeText(place, current);
}
