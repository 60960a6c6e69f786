import { posix } from "node:path";
import { type System, FileError } from "../system/system.js";
import type { FileChange } from "./changes.js";

/**
 * Carries out changes, all or none: every new text is first written beside its
 * place, so that a full disk or a missing permission shows before anything is
 * replaced; what was replaced before a fault is put back.
 *
 * Errors: throws the system's `FileError` after everything is as it was.
 */
export function writeChanges(
  changes: readonly FileChange[],
  folder: string,
  system: System,
): void {
  const staged: string[] = [];
  const done: FileChange[] = [];
  try {
    for (const { path, text } of changes) {
      if (text === null) continue;
      staged.push(temporary(folder, path));
      stage(path, text, folder, system);
    }
    for (const change of changes) {
      apply(change, folder, system);
      done.push(change);
    }
  } catch (error) {
    for (const change of done.reverse()) undo(change, folder, system);
    for (const path of staged) system.removeFile(path);
    throw error;
  }
  for (const { path, kind } of changes) {
    if (kind === "remove") removeEmptyFolders(path, folder, system);
  }
}

/** Writes beside the place of `path`, by which people know what went wrong. */
function stage(
  path: string,
  text: string,
  folder: string,
  system: System,
): void {
  try {
    system.writeText(temporary(folder, path), text);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new FileError(posix.join(folder, path), "write", error.cause);
  }
}

/** A name beside the final one: renaming within a folder is atomic. */
function temporary(folder: string, path: string): string {
  return posix.join(
    folder,
    posix.dirname(path),
    `.${posix.basename(path)}.ridl-new`,
  );
}

function apply(change: FileChange, folder: string, system: System): void {
  const path = posix.join(folder, change.path);
  if (change.text === null) system.removeFile(path);
  else system.rename(temporary(folder, change.path), path);
}

function undo(change: FileChange, folder: string, system: System): void {
  const path = posix.join(folder, change.path);
  if (change.current === null) system.removeFile(path);
  else system.writeText(path, change.current);
}

function removeEmptyFolders(
  path: string,
  folder: string,
  system: System,
): void {
  const parent = posix.dirname(path);
  if (parent === ".") return;
  system.removeEmptyFolder(posix.join(folder, parent));
  removeEmptyFolders(parent, folder, system);
}
