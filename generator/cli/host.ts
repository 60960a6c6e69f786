import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  watch as watchFolder,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where text for people or programs goes. */
export interface Output {
  /** Whether a person looks at it, rather than a file or a program. */
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** False for links to folders too: patterns must not run in circles. */
  readonly isFolder: boolean;
}

/**
 * Everything that commands need of the machine; nothing else in `generator/`
 * touches disk, process or console. Paths are absolute. A file that cannot be
 * read or written for another reason than its absence is a {@link FileError}.
 */
export interface CliHost {
  /** Absolute path of the working folder. */
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of ridlkit's own package.json. */
  readonly packageFolder: string;
  /** Version of ridlkit, e.g. `0.1.0`. */
  readonly version: string;
  /** E.g. `node 20.19.0, linux x64`, for crash reports. */
  readonly platform: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether standard input is a keyboard and not a file or a pipe. */
  readonly isInputTerminal: boolean;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Text of a file; null when there is no such file. */
  readText(path: string): string | null;
  /**
   * What a file holds, not decoded; null when there is no such file. The next
   * call writes over it.
   */
  readBytes(path: string): Uint8Array | null;
  /**
   * Loads a module of the project. `version` stands for its text: with another
   * one a module that was loaded before is loaded anew.
   * Output: its exports. Errors: whatever loading or running it throws.
   */
  importModule(path: string, version: string): Promise<unknown>;
  /** Entries of a folder in no particular order; null when there is none. */
  listFolder(path: string): readonly FolderEntry[] | null;
  /** Writes a file, and creates the folders above it. */
  writeText(path: string, text: string): void;
  /** Moves a file over whatever has the new name. */
  rename(from: string, to: string): void;
  /** Removes a file, if it is there. */
  removeFile(path: string): void;
  /** Removes a folder if nothing is left in it. */
  removeEmptyFolder(path: string): void;
  /**
   * Runs git in a folder. Output: what it printed; null when it failed, or
   * there is no git.
   */
  runGit(folder: string, args: readonly string[]): string | null;
  /**
   * Calls back whenever something in one of the folders (not below) changes.
   * Output: a function that stops watching.
   */
  watch(folders: readonly string[], onChange: () => void): () => void;
  /** Resolves when the user asks to stop a command that does not end by itself. */
  untilInterrupted(): Promise<void>;
  /** Called before a command does more than compare files. */
  beforeWork(): Promise<void>;
}

/** A file or folder that cannot be used, e.g. for want of permission. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly path: string;

  constructor(path: string, verb: "read" | "write", cause: unknown) {
    super(`cannot ${verb} \`${path}\`: ${reasonOf(cause)}`, { cause });
    this.path = path;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file and not a folder",
  EEXIST: "a part of the path is a file and not a folder",
  ELOOP: "links lead in a circle",
  ENAMETOOLONG: "the name is too long",
};

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return reasons[codeOf(cause)] ?? text;
}

/** What of the process may be replaced, by tests above all. */
export interface NodeHostOptions {
  readonly workingFolder?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** Standard input as a text; null: as if it were a keyboard. */
  readonly input?: string | null;
  readonly untilInterrupted?: () => Promise<void>;
  /** Nothing by default. */
  readonly beforeWork?: () => Promise<void>;
}

/**
 * The host of a real process.
 * Output: a host on the real disk, with what `options` says in place of the
 * process's own.
 */
export function createNodeHost(options: NodeHostOptions = {}): CliHost {
  const { input } = options;
  const packageFolder = findPackageFolder();
  return {
    workingFolder: options.workingFolder ?? process.cwd(),
    environment: options.environment ?? process.env,
    packageFolder,
    version: readVersion(packageFolder),
    platform: `node ${process.versions.node}, ${process.platform} ${process.arch}`,
    stdout: options.stdout ?? createOutput("stdout"),
    stderr: options.stderr ?? createOutput("stderr"),
    get isInputTerminal() {
      return input === undefined ? process.stdin.isTTY : input === null;
    },
    readInput: () =>
      input === undefined ? readStandardInput() : Promise.resolve(input ?? ""),
    readText: (path) => readFile(path, () => readFileSync(path, "utf8")),
    readBytes: createByteReader(),
    importModule: (path, version) =>
      import(`${pathToFileURL(path).href}?version=${version}`),
    listFolder,
    writeText,
    rename: (from, to) => attempt(to, "write", () => renameSync(from, to)),
    removeFile,
    removeEmptyFolder,
    runGit,
    watch,
    untilInterrupted: options.untilInterrupted ?? untilInterrupted,
    beforeWork: options.beforeWork ?? (() => Promise.resolve()),
  };
}

const descriptors = { stdout: 1, stderr: 2 } as const;

/** Asks for the stream when it is needed: Node takes its time to make one. */
function createOutput(name: "stdout" | "stderr"): Output {
  return {
    get isTerminal() {
      const mayBe = fstatSync(descriptors[name]).isCharacterDevice();
      return mayBe && process[name].isTTY === true;
    },
    write: (text) => {
      const stream = process[name];
      if (stream.listenerCount("error", failUnlessClosed) === 0) {
        stream.on("error", failUnlessClosed);
      }
      stream.write(text);
    },
  };
}

/** `ridl … | head` closes the pipe early; that is no fault of ours. */
function failUnlessClosed(error: unknown): void {
  if (codeOf(error) !== "EPIPE") throw error;
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function attempt<Value>(
  path: string,
  verb: "read" | "write",
  action: () => Value,
): Value {
  try {
    return action();
  } catch (error) {
    throw new FileError(path, verb, error);
  }
}

const absent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

function readFile<Value>(path: string, read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (absent.has(codeOf(error))) return null;
    throw new FileError(path, "read", error);
  }
}

/** Reads into the same memory each time: asking for it takes longer than that. */
function createByteReader(): CliHost["readBytes"] {
  let memory = Buffer.allocUnsafeSlow(256 * 1024);
  const fill = (descriptor: number): Uint8Array => {
    let end = 0;
    for (;;) {
      const size = readSync(descriptor, memory, end, memory.length - end, null);
      end += size;
      if (size === 0) return memory.subarray(0, end);
      if (end === memory.length) memory = Buffer.concat([memory], end * 2);
    }
  };
  return (path) =>
    readFile(path, () => {
      const descriptor = openSync(path, "r");
      try {
        return fill(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
}

function listFolder(path: string): readonly FolderEntry[] | null {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    if (absent.has(codeOf(error))) return null;
    throw new FileError(path, "read", error);
  }
}

function writeText(path: string, text: string): void {
  attempt(path, "write", () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!absent.has(codeOf(error))) throw new FileError(path, "write", error);
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    const stays = ["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error));
    if (!stays) throw new FileError(path, "write", error);
  }
}

/** A tree of a million files has a list of a hundred megabytes. */
const maxGitBytes = 512 * 1024 * 1024;

function runGit(folder: string, args: readonly string[]): string | null {
  // Loaded here: few commands run git.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: maxGitBytes,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  return status === 0 ? stdout : null;
}

function watch(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const watcher = watchFolder(folder, () => onChange());
      // A watched folder that disappears is a change like any other.
      watcher.on("error", () => onChange());
      return watcher;
    });
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}

/** The nearest folder above this file that holds a package.json: ours. */
function findPackageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

function readVersion(packageFolder: string): string {
  const text = readFileSync(join(packageFolder, "package.json"), "utf8");
  const data: unknown = JSON.parse(text);
  return typeof data === "object" && data !== null && "version" in data
    ? String(data.version)
    : "";
}
