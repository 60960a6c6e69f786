import { posix } from "node:path";
import type { ChangedDocument } from "../project/fix-documents.js";
import { foldersAbove } from "../system/paths.js";
import { type System, codeOf, FileError } from "../system/system.js";
import type { FileChange } from "./changes.js";

interface PlacedChange extends Omit<FileChange, "path"> {
  /** Absolute path. */
  readonly place: string;
}

/** Prefix of the temporary files that are renamed to their final path. */
const temporaryPrefix = ".ridl-new-";

/**
 * Applies all changes to an output folder, or none of them. Every new text is
 * first written to a temporary file next to its final path, so that a full disk
 * or a missing permission is detected before anything is replaced. After an
 * error, replaced files are restored. The output folder may be a link. Below
 * it, a linked file is replaced and a linked folder is refused, so that nothing
 * outside is written or removed.
 *
 * Input: all changes, including files that are kept, because temporary files
 * that killed runs left next to them are removed.
 * Errors: a `FileError` for a linked folder, or the system's `FileError` after
 * everything is restored.
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

/**
 * Throws the `FileError` of {@link writeChanges} if a folder below the output
 * folder is a link.
 */
export function refuseLinkedFolders(
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
 * Replaces the contents of all documents, or of none, and follows links.
 * Errors: as for {@link writeChanges}.
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
  // Removals come first, because a new file may have the name of an old one in
  // another case.
  const changes = [
    ...all.filter(({ kind }) => kind === "remove"),
    ...all.filter(({ kind }) => kind === "create" || kind === "update"),
  ];
  const staged = new Map<PlacedChange, string>();
  const done: PlacedChange[] = [];
  try {
    for (const change of changes) writeTemporary(change, staged, system);
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

/** Removes temporary files that killed runs left. See {@link apply}. */
function removeLeftovers(
  changes: readonly PlacedChange[],
  system: System,
): void {
  const folders = new Set(changes.map(({ place }) => posix.dirname(place)));
  for (const folder of folders) {
    for (const { name, isFolder } of system.listFolder(folder) ?? []) {
      const isLeftover = !isFolder && name.startsWith(temporaryPrefix);
      if (isLeftover) system.removeFile(posix.join(folder, name));
    }
  }
}

/** Writes a temporary file in the same folder, so that renaming is atomic. */
function writeTemporary(
  change: PlacedChange,
  staged: Map<PlacedChange, string>,
  system: System,
): void {
  const { place, text } = change;
  if (text === null) return;
  const name = temporaryPrefix + crypto.randomUUID();
  const path = posix.join(posix.dirname(place), name);
  try {
    system.createText(path, text);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // Report the final path instead of the temporary one.
    throw new FileError(place, "write", error.cause);
  }
  staged.set(change, path);
}

/** Maximum number of times that other runs may remove a temporary file. */
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
      // Another run removed the temporary file as a leftover.
      const isLost =
        error instanceof FileError && codeOf(error.cause) === "ENOENT";
      if (!isLost || losses === maxLosses) throw error;
      writeTemporary(change, staged, system);
    }
  }
}

function undo({ current, place }: PlacedChange, system: System): void {
  if (current === null) system.removeFile(place);
  else system.writeText(place, current);
}
