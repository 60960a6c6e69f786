import type { ChangedDocument } from "../project/fix-documents.js";
import {
  type AbsolutePath,
  contains,
  foldersAbove,
  parentOf,
  resolvePath,
} from "../system/paths.js";
import { type System, codeOf, FileError } from "../system/system.js";
import type { FileChange, OutputFolder } from "./changes.js";

interface PlacedChange extends Omit<FileChange, "path"> {
  readonly place: AbsolutePath;
}

/** Prefix of the temporary files that are renamed to their final path. */
const temporaryPrefix = ".ridl-new-";

/**
 * Applies all changes to an output folder, or none of them. Every new text is
 * first written to a temporary file next to its final path, so that a full disk
 * or a missing permission is detected before anything is replaced. After an
 * error, replaced files are restored. The output folder may be a link inside
 * the project. Below it, a linked file is replaced and a linked folder is refused, so that nothing
 * outside is written or removed.
 *
 * Input: all changes, including files that are kept, because temporary files
 * that killed runs left next to them are removed.
 * Errors: a `FileError` for a linked folder, or the system's `FileError` after
 * everything is restored.
 */
export function writeChanges(
  changes: readonly FileChange[],
  folder: AbsolutePath,
  system: System,
): void {
  refuseLinkedFolders(changes, folder, system);
  const placed = changes.map(({ path, ...change }) => ({
    ...change,
    place: resolvePath(folder, path),
  }));
  writePlaces(placed, system);
  for (const { path, kind } of changes) {
    if (kind !== "remove") continue;
    for (const parent of foldersAbove(path)) {
      system.removeEmptyFolder(resolvePath(folder, parent));
    }
  }
}

/**
 * Throws a `FileError` if a link leads from the project to an output folder
 * outside of it, because a repository can contain such a link.
 */
export function refuseOutsideLink(
  { path, root }: OutputFolder,
  system: System,
): void {
  const real = system.realPath(root);
  for (let place = path; contains(root, place); place = parentOf(place)) {
    if (place === root || parentOf(place) === place) return;
    if (!system.isLink(place) || contains(real, system.realPath(place))) {
      continue;
    }
    throw new FileError(
      place,
      "write",
      new Error("it is a link that leads outside the project"),
      "write the path of the folder that it leads to as the output folder",
    );
  }
}

/**
 * Throws the `FileError` of {@link writeChanges} if a folder below the output
 * folder is a link.
 */
export function refuseLinkedFolders(
  changes: readonly FileChange[],
  folder: AbsolutePath,
  system: System,
): void {
  const folders = new Set(changes.flatMap(({ path }) => foldersAbove(path)));
  const link = [...folders]
    .map((path) => resolvePath(folder, path))
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
 * Errors: as for {@link writeFiles}.
 */
export function writeDocuments(
  documents: readonly ChangedDocument[],
  folder: AbsolutePath,
  system: System,
): void {
  const changes = documents.map(({ path, before, after }) => ({
    kind: "update" as const,
    place: system.realPath(resolvePath(folder, path)),
    text: after,
    current: before,
  }));
  writePlaces(changes, system, refuseEdited);
}

/**
 * Creates, replaces and removes all of these files, or none of them, and follows
 * links. Errors: as for {@link writeChanges}, and a `FileError` if another program,
 * such as an editor, has changed a file since it was read.
 */
export function writeFiles(
  changes: readonly FileChange[],
  folder: AbsolutePath,
  system: System,
): void {
  const placed = changes.map(({ path, ...change }) => ({
    ...change,
    place: system.realPath(resolvePath(folder, path)),
  }));
  writePlaces(placed, system, refuseEdited);
}

/** Throws if the file no longer has the text that the change was made for. */
function refuseEdited(
  { current, place, text }: PlacedChange,
  system: System,
): void {
  const found = system.readText(place);
  if (found === current || found === text) return;
  throw new FileError(
    place,
    "write",
    new Error("it was changed in the meantime"),
    "run the command again",
  );
}

/** `inspect` sees each change once all new texts are on the disk. */
function writePlaces(
  all: readonly PlacedChange[],
  system: System,
  inspect: (change: PlacedChange, system: System) => void = () => {},
): void {
  removeLeftovers(all, system);
  // Removals come first, because a new file may have the name of an old one in
  // another case.
  const changes = [
    ...all.filter(({ kind }) => kind === "remove"),
    ...all.filter(({ kind }) => kind === "create" || kind === "update"),
  ];
  const staged = new Map<PlacedChange, AbsolutePath>();
  const done: PlacedChange[] = [];
  try {
    for (const change of changes) writeTemporary(change, staged, system);
    for (const change of changes) inspect(change, system);
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
  const folders = new Set(changes.map(({ place }) => parentOf(place)));
  for (const folder of folders) {
    for (const { name, isFolder } of system.listFolder(folder) ?? []) {
      const isLeftover = !isFolder && name.startsWith(temporaryPrefix);
      if (isLeftover) system.removeFile(resolvePath(folder, name));
    }
  }
}

/** Writes a temporary file in the same folder, so that renaming is atomic. */
function writeTemporary(
  change: PlacedChange,
  staged: Map<PlacedChange, AbsolutePath>,
  system: System,
): void {
  const { place, text } = change;
  if (text === null) return;
  const name = temporaryPrefix + crypto.randomUUID();
  const path = resolvePath(parentOf(place), name);
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
  staged: Map<PlacedChange, AbsolutePath>,
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
