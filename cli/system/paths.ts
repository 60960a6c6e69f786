import { dirname, isAbsolute, posix, relative, resolve, sep } from "node:path";

declare const isNormal: unique symbol;

/**
 * An absolute, normalized path with forward slashes on every platform, e.g.
 * `/home/api` or `C:/home/api`. Only this file creates such paths, so code that
 * compares them or appends to them behaves the same on Windows.
 */
export type AbsolutePath = string & { readonly [isNormal]: true };

/** Resolves a path against the working directory of the process. */
export function toAbsolutePath(path: string): AbsolutePath {
  return normalized(resolve(path));
}

/** Resolves `path`, which may be absolute, against a folder. */
export function resolvePath(folder: AbsolutePath, path: string): AbsolutePath {
  return normalized(resolve(folder, path));
}

/** Returns the folder that contains a path. The root contains itself. */
export function parentOf(path: AbsolutePath): AbsolutePath {
  return normalized(dirname(path));
}

/**
 * Makes `path` relative to `folder`, e.g. `../a.ridl`. The result is absolute
 * only if the two are on different drives.
 */
export function pathFrom(folder: AbsolutePath, path: AbsolutePath): string {
  const shown = relative(folder, path);
  return shown === "" ? "." : withForwardSlashes(shown);
}

/** Makes `path`, which is relative to `folder`, relative to `base`. */
export function rebasePath(
  path: string,
  folder: AbsolutePath,
  base: AbsolutePath,
): string {
  return pathFrom(base, resolvePath(folder, path));
}

/** Whether `path` is `folder` or below it. */
export function contains(folder: AbsolutePath, path: AbsolutePath): boolean {
  const below = pathFrom(folder, path);
  return below === "." || isBelow(below);
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

/** Replaces the backslashes of Windows paths with `/`, on every platform. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
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

/** Elsewhere than on Windows, a name may contain a backslash. */
function withForwardSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** Converts a path that `node:path` has made absolute. */
function normalized(path: string): AbsolutePath {
  return withForwardSlashes(path) as AbsolutePath;
}
