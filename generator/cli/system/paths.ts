import { isAbsolute, posix, relative, resolve } from "node:path";

/** `path` with `/` between its parts, also on Windows. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/**
 * How people in `folder` write the absolute `path`.
 * Output: e.g. `schema/api.ridl`, `../a.ridl`, `.`.
 */
export function pathFrom(folder: string, path: string): string {
  const shown = relative(folder, path);
  return shown === "" ? "." : withSlashes(shown);
}

/** `path` as `base` sees it, where it was written by somebody in `folder`. */
export function rebasePath(path: string, folder: string, base: string): string {
  return pathFrom(base, resolve(folder, path));
}

/** Whether `path` stays in the folder that it is relative to. */
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

/** The first part of a path, e.g. `api` of `api/types.ts`. */
export function topFolder(path: string): string {
  return path.split("/", 1).join("");
}

/** The folders above a relative path, e.g. `a/b` and `a` of `a/b/c.ts`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let folder = posix.dirname(path);
  for (; folder !== "."; folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}
