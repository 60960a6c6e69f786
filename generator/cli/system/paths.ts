import { isAbsolute, posix, relative, resolve } from "node:path";

/** Replaces the backslashes of Windows paths with `/`. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Makes the absolute `path` relative to `folder`, e.g. `../a.ridl`. */
export function pathFrom(folder: string, path: string): string {
  const shown = relative(folder, path);
  return shown === "" ? "." : withSlashes(shown);
}

/** Makes `path`, which is relative to `folder`, relative to `base`. */
export function rebasePath(path: string, folder: string, base: string): string {
  return pathFrom(base, resolve(folder, path));
}

/** Whether `path` is below the folder that it is relative to. */
export function isBelow(path: string): boolean {
  const normal = posix.normalize(withSlashes(path));
  return (
    normal !== "." &&
    normal !== ".." &&
    !normal.startsWith("../") &&
    !isAbsolute(normal) &&
    !/^[A-Za-z]:/u.test(normal)
  );
}

/** Returns the first part of a path, e.g. `api` for `api/types.ts`. */
export function topFolder(path: string): string {
  return path.split("/", 1).join("");
}

/** Lists the parent folders of a path, e.g. `a/b` and `a` for `a/b/c.ts`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = posix.dirname(path);
  for (; folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}
