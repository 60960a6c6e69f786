import { posix, relative, resolve } from "node:path";
import { type System, type FolderEntry, UsageError } from "../system/system.js";
import { withSlashes } from "../system/paths.js";

/** The files of an earlier version of a project. */
export interface ProjectRevision {
  /** Displayed name, e.g. `main (a1b2c3d4)`. */
  readonly name: string;
  /** The same system with the earlier files. */
  readonly system: System;
  /** Returns a document's name in diagnostics. `path` is absolute. */
  readonly label: (path: string) => string;
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
  const folder = withSlashes(resolve(system.workingFolder, name));
  if (system.listFolder(folder) === null) {
    throw new UsageError(`folder \`${name}\` does not exist`);
  }
  return {
    name,
    system: { ...system, workingFolder: folder },
    label: (path) => withSlashes(relative(system.workingFolder, path)),
  };
}

function openRevision(asked: string | null, system: System): ProjectRevision {
  const git = (...args: string[]): string | null =>
    system.runGit(system.workingFolder, args);
  // Git's absolute path may differ from `workingFolder` because of links.
  const prefix = git("rev-parse", "--show-prefix");
  if (prefix === null) {
    throw new UsageError(
      "this is not a git repository",
      "give a folder that contains the old contract: `--against ../before`",
    );
  }
  const name = asked ?? findMainBranch(git);
  const commit = findFork(name, git);
  const depth = prefix.trim().split("/").filter(Boolean).length;
  const top = resolve(system.workingFolder, "../".repeat(depth));
  const short = commit.slice(0, 8);
  return {
    name: `${name} (${short})`,
    system: createRevisionSystem(commit, withSlashes(top), system),
    label: (path) => `${short}:${withSlashes(relative(top, path))}`,
  };
}

type Git = (...args: string[]) => string | null;

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
    throw new UsageError(
      `this clone has no common ancestor of \`${name}\` and HEAD`,
      "fetch more history: `git fetch --unshallow`",
    );
  }
  return fork.trim();
}

/** Creates a system that reads everything below `top` from a commit. */
function createRevisionSystem(
  commit: string,
  top: string,
  system: System,
): System {
  const listed = system.runGit(top, ["ls-tree", "-rz", "--name-only", commit]);
  const files = new Set(listed?.split("\0").filter(Boolean));
  const folders = listFolders(files);
  const inside = (path: string): string | null => {
    const shown = withSlashes(relative(top, path));
    return shown.startsWith("..") ? null : shown;
  };
  const readText = (path: string): string | null => {
    const name = inside(path);
    if (name === null) return system.readText(path);
    if (!files.has(name)) return null;
    return system.runGit(top, ["cat-file", "blob", `${commit}:${name}`]);
  };
  return {
    ...system,
    readText,
    readBytes: (path) => {
      const text = readText(path);
      return text === null ? null : new TextEncoder().encode(text);
    },
    listFolder: (path) => {
      const name = inside(path);
      if (name === null) return system.listFolder(path);
      return folders.get(name) ?? null;
    },
  };
}

/** Lists the entries of each folder by its path. `""` is the root. */
function listFolders(
  files: ReadonlySet<string>,
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
