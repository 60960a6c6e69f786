import { posix } from "node:path/posix";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import type { System, FolderEntry } from "../system/system.js";

/** The files that a pattern matches. */
export interface GlobResult {
  /** Paths relative to the root, sorted by UTF-16 code units. */
  readonly paths: readonly string[];
  /** Folders that were listed. A new file in one of them may also match. */
  readonly folders: readonly string[];
}

/** The folders that a pattern searches. Paths are relative to the root. */
interface Folders {
  /** Returns the entries of a folder, which are empty if it does not exist. */
  list(folder: string): readonly FolderEntry[];
  /** Whether a path is a folder or a link to one. */
  has(path: string): boolean;
  /** Whether it was called for the same folder and rest of a pattern before. */
  isVisited(folder: string, segments: readonly string[]): boolean;
}

/**
 * Finds files that match a pattern. `*` and `?` match characters within a name,
 * and `**` matches any number of folders, except hidden folders, linked folders
 * and node_modules. A pattern without wildcards is a path, which is returned even
 * if it does not exist. A folder matches all `.ridl` files below it.
 *
 * Input: a pattern relative to `root`, e.g. `schema/**\/*.ridl`.
 */
export function expandPattern(
  pattern: string,
  root: AbsolutePath,
  system: Pick<System, "listFolder">,
): GlobResult {
  const listed = new Set<string>();
  // Without the slash, a drive such as `D:` is the working directory on it.
  const entriesOf = (folder: string) =>
    system.listFolder(resolvePath(root, `${folder || "."}/`));
  const folders: Omit<Folders, "isVisited"> = {
    list: (folder) => {
      listed.add(folder);
      return entriesOf(folder) ?? [];
    },
    has: (path) => entriesOf(path) !== null,
  };
  const normal = posix.normalize(pattern);
  const isFolder = !hasWildcard(normal) && folders.has(normal);
  const segments = normal.split("/").filter((segment) => segment !== "");
  const paths = walk(
    "",
    isFolder ? [...segments, "**", "*.ridl"] : segments,
    visitOnce(folders),
  );
  return { paths: [...new Set(paths)].sort(), folders: [...listed].sort() };
}

/**
 * Returns folders that tell which were visited for the same rest of a pattern.
 * Without this, the time grows exponentially with the number of `**`.
 */
function visitOnce(folders: Omit<Folders, "isVisited">): Folders {
  const visited = new Set<string>();
  return {
    ...folders,
    isVisited: (folder, segments) => {
      const key = `${segments.length} ${folder}`;
      if (visited.has(key)) return true;
      visited.add(key);
      return false;
    },
  };
}

function hasWildcard(text: string): boolean {
  return /[*?]/u.test(text);
}

function walk(
  folder: string,
  segments: readonly string[],
  folders: Folders,
): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [folder];
  if (segment === "**") {
    if (folders.isVisited(folder, segments)) return [];
    // Links can form a cycle.
    const below = folders
      .list(folder)
      .filter(({ name, isFolder }) => isFolder && !isHidden(name))
      .flatMap(({ name }) => walk(posix.join(folder, name), segments, folders));
    return [...walkWithin(folder, rest, folders), ...below];
  }
  return hasWildcard(segment)
    ? walkWithin(folder, segments, folders)
    : walk(posix.join(folder, segment), rest, folders);
}

/**
 * Works like `walk`, for the segments from the first wildcard on. Returns only
 * existing files.
 */
function walkWithin(
  folder: string,
  segments: readonly string[],
  folders: Folders,
): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [];
  if (segment === "**") return walk(folder, segments, folders);
  return folders
    .list(folder)
    .filter(({ name }) => matchesName(name, segment))
    .flatMap(({ name, isFolder }) => {
      const path = posix.join(folder, name);
      if (rest.length === 0) return isFolder ? [] : [path];
      return isFolder || folders.has(path)
        ? walkWithin(path, rest, folders)
        : [];
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
