import type { Readable, Writable } from "node:stream";

/** Where text for people or programs goes. */
export interface Output {
  /** Whether a person looks at it, rather than a file or a program. */
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** Standard input and output. */
export interface StandardStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** False for links to folders too: patterns must not run in circles. */
  readonly isFolder: boolean;
}

/** A server of HTTP that is running. */
export interface Listening {
  readonly port: number;
  /** Stops it; requests that are running are cut off. */
  close(): Promise<void>;
}

/**
 * Serves HTTP. Input: what answers a request of `node:http`; the address, port 0
 * for any that is free. Errors: those of the system, e.g. `EADDRINUSE`.
 */
export type Listen = (
  listener: (request: unknown, response: unknown) => unknown,
  address: { readonly host: string; readonly port: number },
) => Promise<Listening>;

/**
 * Everything that commands need of the machine. Only what makes one, in
 * `node/`, touches disk, process or console. Paths are absolute. A file that
 * cannot be read or written for another reason than its absence is a
 * {@link FileError}.
 */
export interface System {
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
  /** Whether standard input is a keyboard, or nothing, and not a file or a pipe. */
  readonly isInputTerminal: boolean;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Opens standard input and output, for a protocol between programs. */
  openStreams(): StandardStreams;
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
  /**
   * Loads a package as a file of a folder would.
   * Output: its exports, and the folder of the file that has them; null if it is
   * not installed. Errors: whatever loading it throws.
   */
  loadPackage(
    name: string,
    folder: string,
  ): { readonly exports: unknown; readonly folder: string } | null;
  /** Entries of a folder in no particular order; null when there is none. */
  listFolder(path: string): readonly FolderEntry[] | null;
  /** Writes a file, and creates the folders above it. */
  writeText(path: string, text: string): void;
  /**
   * Writes a file that is not there yet, and creates the folders above it. If
   * something has its name, be it a link, that is an error.
   */
  createText(path: string, text: string): void;
  /** Whether the path itself is a link, wherever it leads. */
  isLink(path: string): boolean;
  /** The path without links; as it is if nothing is there. */
  realPath(path: string): string;
  /**
   * Moves a file over whatever has the new name, a link included. The
   * permissions of a file that was there stay.
   */
  rename(from: string, to: string): void;
  /** Removes a file, if it is there. */
  removeFile(path: string): void;
  /** Makes an empty folder of its own, for `removeFolder` to remove. Output: its path. */
  createTemporaryFolder(): string;
  /** Removes a folder with all that it holds. */
  removeFolder(path: string): void;
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
  /** Whether a process is running. */
  isRunning(processId: number): boolean;
  readonly listen: Listen;
  /** Resolves when the user asks to stop a command that does not end by itself. */
  untilInterrupted(): Promise<void>;
  /** Called before a command does more than compare files. */
  beforeWork(): Promise<void>;
}

/** A file or folder that cannot be used, e.g. for want of permission. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly path: string;
  /** Why, e.g. `permission denied`. */
  readonly reason: string;
  /** What to do about it; null when the message says it. */
  readonly help: string | null;

  constructor(
    path: string,
    verb: "read" | "write",
    cause: unknown,
    help: string | null = null,
  ) {
    const reason = reasonOf(cause);
    super(`cannot ${verb} \`${path}\`: ${reason}`, { cause });
    this.path = path;
    this.reason = reason;
    this.help = help;
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
  ELOOP: "it is part of a cycle of links",
  ENAMETOOLONG: "the name is too long",
};

/** The code of an error of the system, e.g. `ENOENT`; "" when it has none. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return reasons[codeOf(cause)] ?? text;
}
