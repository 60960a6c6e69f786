import { posix } from "node:path";
import type { CliHost, FolderEntry } from "../host.js";

/** What a pattern found. */
export interface GlobResult {
  /** Paths relative to the root, sorted by UTF-16 units. */
  readonly paths: readonly string[];
  /** Folders that were looked into: a new file in one may match too. */
  readonly folders: readonly string[];
}

/**
 * Files that match a pattern: `*` and `?` stand for characters within a name,
 * `**` for any number of folders (hidden ones and node_modules left out). A
 * pattern without them is a path, and comes back whether it exists or not; a
 * folder stands for all `.ridl` files below it.
 *
 * Input: a pattern relative to `root`, e.g. `schema/**\/*.ridl`.
 */
export function expandPattern(
  pattern: string,
  root: string,
  host: Pick<CliHost, "listFolder">,
): GlobResult {
  const folders = new Set<string>();
  const list = (folder: string): readonly FolderEntry[] => {
    folders.add(folder);
    return host.listFolder(posix.join(root, folder)) ?? [];
  };
  const normal = posix.normalize(pattern);
  const isFolder =
    !hasWildcard(normal) && host.listFolder(posix.join(root, normal)) !== null;
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
    return [...walk(folder, rest, list), ...below];
  }
  if (!hasWildcard(segment)) {
    return walk(posix.join(folder, segment), rest, list);
  }
  const matcher = toMatcher(segment);
  return list(folder)
    .filter(({ isFolder }) => isFolder === rest.length > 0)
    .filter(({ name }) => matcher.test(name))
    .flatMap(({ name }) => walk(posix.join(folder, name), rest, list));
}

function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

function toMatcher(segment: string): RegExp {
  const source = segment
    .replaceAll(/[$()+.[\\\]^{|}]/gu, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  // A leading wildcard does not reveal hidden files, as in a shell.
  const hidden = segment.startsWith(".") ? "" : "(?!\\.)";
  return new RegExp(`^${hidden}${source}$`, "su");
}
