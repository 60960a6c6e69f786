import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { GitCommand } from "../system/system.js";

/** Maximum size of git's output. A list of a million files takes 100 MB. */
const maxGitBytes = 512 * 1024 * 1024;

/** A repository can name a pipe as one of its files, which never ends. */
const gitTimeoutMs = 30_000;

/**
 * Prevents git from starting programs that a repository's own configuration
 * names. The commands of {@link GitCommand} run none of the others, such as
 * filters, aliases and external diffs. A repository may also be part of the
 * files of another one, as a bare repository: it is ignored.
 */
const safeSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
];

/**
 * Prevents git from fetching missing objects, because a repository's
 * configuration chooses the transport, and from waiting for a person. Versions
 * before 2.45 only know the first variable.
 */
const safeVariables = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

/**
 * Runs git in a folder. This is the only function that starts a program, and
 * nothing in the folder decides which programs run, because the folder may not
 * be trusted. Git itself refuses repositories of other users
 * (`safe.directory`).
 *
 * Returns git's output, or null if there is no git or if it failed.
 */
export function runGit(
  folder: string,
  [command, ...args]: readonly [GitCommand, ...string[]],
): string | null {
  const git = findProgram("git", process.env["PATH"] ?? "", process.platform);
  if (git === null) return null;
  // Loaded on demand, because few commands run git.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const settings = safeSettings.flatMap((setting) => ["-c", setting]);
  const { status, stdout } = spawnSync(
    git,
    ["--no-pager", ...settings, command, ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...safeVariables },
      killSignal: "SIGKILL",
      maxBuffer: maxGitBytes,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: gitTimeoutMs,
      windowsHide: true,
    },
  );
  return status === 0 ? stdout : null;
}

/**
 * Finds a program in the absolute folders of `PATH`. The system would also
 * search relative ones, and Windows the working folder, where anyone could have
 * put a program of this name.
 */
export function findProgram(
  name: string,
  path: string,
  platform: string,
): string | null {
  const file = platform === "win32" ? `${name}.exe` : name;
  const candidates = path
    .split(delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/u, "$1"))
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, file));
  return candidates.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
