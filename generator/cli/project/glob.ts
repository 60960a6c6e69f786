import { posix } from "node:path";
import type { System, FolderEntry } from "../system/system.js";

/** The files that a pattern matches. */
export interface GlobResult {
  /** Paths relative to the root, sorted by UTF-16 code units. */
  readonly paths: readonly string[];
  /** Folders that were listed. A new file in one of them may also match. */
  readonly folders: readonly string[];
}

/**
 * Finds files that match a pattern. `*` and `?` match characters within a name,
 * and `**` matches any number of folders, except hidden folders and
 * node_modules. A pattern without wildcards is a path, which is returned even
 * if it does not exist. A folder matches all `.ridl` files below it.
 *
 * Input: a pattern relative to `root`, e.g. `schema/**\/*.ridl`.
 */
export function expandPattern(
  pattern: string,
  root: string,
  system: Pick<System, "listFolder">,
): GlobResult {
  const folders = new Set<string>();
  const list = (folder: string): readonly FolderEntry[] => {
    folders.add(folder);
    return system.listFolder(posix.join(root, folder)) ?? [];
  };
  const normal = posix.normalize(pattern);
  const isFolder =
    !hasWildcard(normal) &&
    system.listFolder(posix.join(root, normal)) !== null;
  const segments = normal.split("/").filter((segment) => segment !== "");
  const paths = walk(
    "",
    isFolder ? [...segments, "**", "*.ridl"] : segments,
    list,
  );
  return { paths: [...new Set(paths)].sort(), folders: [...folders].sort() };
}

function hasWildcard(text: string): boolean {
  return /[*?]/u.test(text);
}

function walk(
  folder: string,
  segments: readonly string[],
  list: (folder: string) => readonly FolderEntry[],
): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [folder];
  if (segment === "**") {
    const below = list(folder)
      .filter(({ name, isFolder }) => isFolder && !isHidden(name))
      .flatMap(({ name }) => walk(posix.join(folder, name), segments, list));
    return [...walkWithin(folder, rest, list), ...below];
  }
  return hasWildcard(segment)
    ? walkWithin(folder, segments, list)
    : walk(posix.join(folder, segment), rest, list);
}

/**
 * Works like `walk`, for the segments from the first wildcard on. Returns only
 * existing files.
 */
function walkWithin(
  folder: string,
  segments: readonly string[],
  list: (folder: string) => readonly FolderEntry[],
): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [];
  if (segment === "**") return walk(folder, segments, list);
  return list(folder)
    .filter(({ name, isFolder }) => {
      return isFolder === rest.length > 0 && matchesName(name, segment);
    })
    .flatMap(({ name }) => {
      const path = posix.join(folder, name);
      return rest.length === 0 ? [path] : walkWithin(path, rest, list);
    });
}

function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/**
 * Whether a name matches a pattern of `*`, `?`, and literal characters. A
 * regular expression would take exponential time for a pattern with many stars.
 */
function matchesName(name: string, pattern: string): boolean {
  // As in a shell, a leading wildcard does not match hidden files.
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, cursor, star, retry] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[cursor] === "*") {
      star = cursor++;
      retry = at;
    } else if (pattern[cursor] === "?" || pattern[cursor] === name[at]) {
      cursor++;
      at++;
    } else if (star >= 0) {
      // Let the last star match one more character.
      cursor = star + 1;
      at = ++retry;
    } else return false;
  }
  return /^\**$/u.test(pattern.slice(cursor));
}
