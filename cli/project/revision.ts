import { posix } from "node:path/posix";
import {
  FileError,
  type FolderEntry,
  type GitCommand,
  type System,
  UsageError,
} from "../system/system.js";
import {
  type AbsolutePath,
  contains,
  foldersAbove,
  parentOf,
  pathFrom,
  resolvePath,
} from "../system/paths.js";

/** The files of an earlier version of a project. */
export interface ProjectRevision {
  /** Displayed name, e.g. `main (a1b2c3d4)`. */
  readonly name: string;
  /** Whether it is a folder instead of a git revision. */
  readonly isFolder: boolean;
  /** The same system with the earlier files. */
  readonly system: System;
  /** Returns a document's name in diagnostics. */
  readonly label: (path: AbsolutePath) => string;
  /**
   * Lists the files of a git revision, in all folders, that are wanted and were
   * removed or moved since, whether or not that is committed. A folder has none.
   */
  readonly listGone: (
    isWanted: (path: string) => boolean,
  ) => readonly AbsolutePath[];
}

/** Usual names of the main branch, best first. */
const mainBranches = ["origin/HEAD", "origin/main", "main", "master"];

/**
 * Finds the files to compare with.
 *
 * Input: a folder, a git revision, or null for the main branch. A folder begins
 * with a dot, a slash or a drive. A git revision means its merge base with
 * HEAD.
 * Errors: a {@link UsageError} if the folder, the git repository, the revision,
 * or the merge base does not exist.
 */
export function openPast(
  against: string | null,
  system: System,
): ProjectRevision {
  return against !== null && /^(?:[./]|[A-Za-z]:)/u.test(against)
    ? openFolder(against, system)
    : openRevision(against, system);
}

function openFolder(name: string, system: System): ProjectRevision {
  if (/^[\\/]{2}/u.test(name)) {
    // Windows would send the user's credentials to a computer of this name.
    throw new UsageError(`\`${name}\` is a folder of another computer`);
  }
  const folder = resolvePath(system.workingFolder, name);
  if (system.listFolder(folder) === null) {
    throw new UsageError(`folder \`${name}\` does not exist`);
  }
  return {
    name,
    isFolder: true,
    system: { ...system, workingFolder: folder },
    label: (path) => pathFrom(system.workingFolder, path),
    listGone: () => [],
  };
}

function openRevision(asked: string | null, system: System): ProjectRevision {
  const git: Git = (...args) => system.runGit(system.workingFolder, args);
  // Git's absolute path may differ from `workingFolder` because of links.
  const prefix = git("rev-parse", "--show-prefix");
  if (prefix === null) {
    throw new UsageError(
      "this is not a git repository",
      "give a folder that contains the old contract: `--against ../before`",
    );
  }
  const name = asked ?? findMainBranch(git);
  return openAt(name, findFork(name, git), prefix, system);
}

/**
 * Opens the commits of the tags that match a pattern, e.g. `v*`, by version.
 * Unlike with {@link openPast}, the commits themselves count, because releases
 * are often made on branches.
 * Errors: a {@link UsageError} if there is no git repository, or if git fails.
 */
export function openTags(
  pattern: string,
  system: System,
): readonly ProjectRevision[] {
  const git: Git = (...args) => system.runGit(system.workingFolder, args);
  const prefix = git("rev-parse", "--show-prefix");
  if (prefix === null) throw new UsageError("this is not a git repository");
  const listed = git("rev-parse", "--symbolic", `--tags=${pattern}`);
  if (listed === null) throw new UsageError("git cannot list the tags");
  return listed
    .split("\n")
    .filter(Boolean)
    .map((each) => each.replace(/^refs\/tags\//u, ""))
    .sort(byVersion)
    .flatMap((tag) => {
      const commit = findCommit(`refs/tags/${tag}`, git);
      return commit === null ? [] : [openAt(tag, commit, prefix, system)];
    });
}

/**
 * Compares names so that `v1.9.0` is before `v1.10.0-rc.1`, and that before
 * `v1.10.0`.
 */
export function byVersion(left: string, right: string): number {
  const [release, rest] = splitVersion(left);
  const [otherRelease, otherRest] = splitVersion(right);
  const order = compareNumbers(release, otherRelease);
  if (order !== 0) return order;
  return rest === "" || otherRest === ""
    ? Number(rest === "") - Number(otherRest === "")
    : compareNumbers(rest, otherRest);
}

/** Splits `v1.10.0-rc.1` into `v1.10.0` and `-rc.1`. */
function splitVersion(name: string): readonly [string, string] {
  const [, release = name, rest = ""] =
    /^(.*?\d(?:\.\d+)*)(-.*)?$/u.exec(name) ?? [];
  return [release, rest];
}

function compareNumbers(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

function openAt(
  name: string,
  commit: string,
  prefix: string,
  system: System,
): ProjectRevision {
  const depth = prefix.trim().split("/").filter(Boolean).length;
  const top = resolvePath(system.workingFolder, "../".repeat(depth));
  const short = commit.slice(0, 8);
  const tree = listFiles(commit, top, system);
  return {
    name: `${name} (${short})`,
    isFolder: false,
    system: createRevisionSystem(commit, top, tree, system),
    label: (path) => `${short}:${pathFrom(top, path)}`,
    listGone: (isWanted) => {
      const omitted = listOmitted(top, system);
      return [...tree.files]
        .filter((path) => isWanted(path) && !omitted.has(path))
        .map((path) => resolvePath(top, path))
        .filter((path) => system.readText(path) === null);
    },
  };
}

type Git = (...args: readonly [GitCommand, ...string[]]) => string | null;

function findMainBranch(git: Git): string {
  const name = mainBranches.find((each) => findCommit(each, git) !== null);
  if (name !== undefined) return name;
  throw new UsageError(
    "cannot determine the main branch of this repository",
    "choose a revision: `ridl breaking --against <revision>`",
  );
}

function findCommit(name: string, git: Git): string | null {
  // Git would read a name that begins with a dash as a flag.
  if (name.startsWith("-")) return null;
  const found = git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  return found === null ? null : found.trim();
}

/**
 * Finds the merge base of a revision and HEAD, because later changes on that
 * branch were not made on this one.
 */
function findFork(name: string, git: Git): string {
  const commit = findCommit(name, git);
  if (commit === null) {
    throw new UsageError(
      `git has no revision \`${name}\``,
      "fetch it first, for example with `git fetch origin main`; to compare with a folder, begin its path with `./`",
    );
  }
  const fork = git("merge-base", commit, "HEAD");
  if (fork === null) {
    const isShallow = git("rev-parse", "--is-shallow-repository");
    throw new UsageError(
      `this clone has no common ancestor of \`${name}\` and HEAD`,
      isShallow?.trim() === "true"
        ? "fetch more history: `git fetch --unshallow`"
        : `choose another revision, or check out \`${name}\` in a folder and compare with that: \`--against ../before\``,
    );
  }
  return fork.trim();
}

/** Creates a system that reads everything below `top` from a commit. */
function createRevisionSystem(
  commit: string,
  top: AbsolutePath,
  { files, links }: Tree,
  system: System,
): System {
  const folders = listFolders([...files, ...links.keys()]);
  const read = (name: string): string => {
    const text = system.runGit(top, ["cat-file", "blob", `${commit}:${name}`]);
    if (text !== null) return text;
    const path = `${commit.slice(0, 8)}:${name}`;
    throw new FileError(path, "read", notInClone);
  };
  const inside = (path: AbsolutePath): string | null => {
    if (path === top) return "";
    return contains(top, path) ? pathFrom(top, path) : null;
  };
  /** Follows the links in a path, which git stores as files. */
  const follow = (path: AbsolutePath, hops = 0): AbsolutePath => {
    const name = inside(path) ?? "";
    const link = [name, ...foldersAbove(name)].findLast((each) =>
      links.has(each),
    );
    if (link === undefined || hops === maxLinks) return path;
    const target = links.get(link) ?? read(link);
    links.set(link, target);
    const rest = name.slice(link.length);
    const folder = parentOf(resolvePath(top, link));
    return follow(resolvePath(folder, target + rest), hops + 1);
  };
  const readText = (asked: AbsolutePath): string | null => {
    const path = follow(asked);
    const name = inside(path);
    if (name === null) return system.readText(path);
    return files.has(name) ? read(name) : null;
  };
  return {
    ...system,
    readText,
    readBytes: (path) => {
      const text = readText(path);
      return text === null ? null : new TextEncoder().encode(text);
    },
    listFolder: (asked) => {
      const path = follow(asked);
      const name = inside(path);
      if (name === null) return system.listFolder(path);
      return folders.get(name) ?? null;
    },
  };
}

/** Git is not allowed to fetch what is missing. */
const notInClone =
  "this clone does not contain it; `git fetch --refetch --no-filter` completes a partial clone";

/** Maximum number of links in a path, as on Linux. */
const maxLinks = 40;

/**
 * The files of a commit, without submodules, and the symbolic links, whose targets
 * are null until they are read.
 */
interface Tree {
  readonly files: ReadonlySet<string>;
  readonly links: Map<string, string | null>;
}

function listFiles(commit: string, top: AbsolutePath, system: System): Tree {
  const listed = system.runGit(top, ["ls-tree", "-rz", commit]);
  if (listed === null) throw new FileError(commit, "read", notInClone);
  const files = new Set<string>();
  const links = new Map<string, string | null>();
  for (const entry of listed.split("\0").filter(Boolean)) {
    const name = entry.slice(entry.indexOf("\t") + 1);
    if (entry.startsWith("120000 ")) links.set(name, null);
    else if (!entry.startsWith("160000 ")) files.add(name);
  }
  return { files, links };
}

/** Lists the files that a sparse checkout omits. */
function listOmitted(top: AbsolutePath, system: System): ReadonlySet<string> {
  const listed = system.runGit(top, ["ls-files", "-t", "-z"]);
  if (listed === null) {
    throw new FileError(".git/index", "read", "git cannot list its files");
  }
  const entries = listed.split("\0").filter((entry) => entry.startsWith("S "));
  return new Set(entries.map((entry) => entry.slice(2)));
}

/** Lists the entries of each folder by its path. `""` is the root. */
function listFolders(
  files: readonly string[],
): ReadonlyMap<string, readonly FolderEntry[]> {
  const folders = new Map<string, FolderEntry[]>();
  const add = (path: string, isFolder: boolean): void => {
    const parent = posix.dirname(path);
    const folder = parent === "." ? "" : parent;
    const entries = folders.get(folder);
    const entry = { name: posix.basename(path), isFolder };
    if (entries !== undefined) {
      entries.push(entry);
      return;
    }
    folders.set(folder, [entry]);
    if (folder !== "") add(folder, true);
  };
  for (const path of files) add(path, false);
  return folders;
}
