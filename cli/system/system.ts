import type { Readable, Writable } from "node:stream";
import type { AbsolutePath } from "./paths.js";

/** A text output, such as standard output. */
export interface Output {
  /** Whether it is a terminal rather than a file or a pipe. */
  readonly isTerminal: boolean;
  write(text: string): void;
}

/** An output for a result that does not fit into memory. */
export interface LongOutput {
  /** Resolves with the error that closed the output, e.g. a full disk. */
  readonly failed: Promise<unknown>;
  /** Resolves once the reader of the output has room for more. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Writes the rest. Standard output stays open. */
  close(): Promise<void>;
}

/** Standard input and output. */
export interface StandardStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** One entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  /** Whether it is a folder. False for links, which can form a cycle. */
  readonly isFolder: boolean;
}

/**
 * The git commands that ridl runs. They only read objects and the index. Unlike
 * `diff` or `status`, they start no program that a repository's configuration
 * names.
 */
export type GitCommand =
  "cat-file" | "ls-files" | "ls-tree" | "merge-base" | "rev-parse";

/** A running command. */
export interface RunningCommand {
  /** The exit code, or 1 if a signal ended the command. */
  readonly ended: Promise<number>;
  stop(): void;
}

/** A running program that exchanges lines of text. */
export interface RunningProgram {
  /** Writes a line to its input. */
  write(line: string): void;
  /** Returns the next line of its output, or null after the last one. */
  read(): Promise<string | null>;
  /** Ends its input, and resolves when the program has ended. */
  stop(): Promise<void>;
}

/** A running HTTP server. */
export interface Listening {
  readonly port: number;
  /** Stops the server and aborts running requests. */
  close(): Promise<void>;
}

/**
 * Serves HTTP with a `node:http` request listener, which also permits clients
 * with `Expect: 100-continue` to send the body. Port 0 means any free port.
 * Errors: system errors, e.g. `EADDRINUSE`.
 */
export type Listen = (
  listener: (request: unknown, response: unknown) => unknown,
  address: { readonly host: string; readonly port: number },
) => Promise<Listening>;

/**
 * Everything that commands need from the machine. If a file exists but cannot be read or written, the error is a {@link FileError}.
 */
export interface System {
  /** The working directory. */
  readonly workingFolder: AbsolutePath;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of ridlkit's own package.json. */
  readonly packageFolder: AbsolutePath;
  /** Version of ridlkit, e.g. `0.1.0`. */
  readonly version: string;
  /** The platform for crash reports, e.g. `node 20.19.0, linux x64`. */
  readonly platform: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * Reads standard input to its end. Errors: a {@link FileError} if it is not
   * UTF-8 text.
   */
  readInput(): Promise<string>;
  /** Opens standard input and output, for a protocol between programs. */
  openStreams(): StandardStreams;
  /**
   * Opens a file, which is replaced, or standard output if the path is null, for
   * a result that may be long or binary.
   */
  openOutput(path: AbsolutePath | null): LongOutput;
  /** Returns the text of a file, or null if it does not exist. */
  readText(path: AbsolutePath): string | null;
  /**
   * Returns the bytes of a file, or null if it does not exist. The next call
   * reuses the buffer.
   */
  readBytes(path: AbsolutePath): Uint8Array | null;
  /**
   * Loads a module of the project. Reloads it for each new `version`. Errors:
   * everything that loading or running it throws.
   */
  importModule(path: AbsolutePath, version: string): Promise<unknown>;
  /**
   * Runs code that people wrote, for a limited time. Input: the name of its file.
   * Errors: everything that it throws, and an {@link EndlessModuleError}.
   */
  runModule<Result>(
    name: string,
    run: () => Result | Promise<Result>,
  ): Promise<Result>;
  /**
   * Loads a package as a file in `folder` would.
   * Returns its exports and the folder of the file that contains them, or null
   * if it is not installed. Errors: whatever loading it throws.
   */
  loadPackage(
    name: string,
    folder: AbsolutePath,
  ): { readonly exports: unknown; readonly folder: AbsolutePath } | null;
  /**
   * Returns the entries of a folder in any order, without links whose targets
   * are missing, or null if the folder does not exist.
   */
  listFolder(path: AbsolutePath): readonly FolderEntry[] | null;
  /** Writes a file and creates its missing parent folders. */
  writeText(path: AbsolutePath, text: string): void;
  /**
   * Creates a file and its missing parent folders. Fails if the path exists.
   */
  createText(path: AbsolutePath, text: string): void;
  /** Whether the path itself is a link. */
  isLink(path: AbsolutePath): boolean;
  /** Resolves the links in a path. Returns a missing path unchanged. */
  realPath(path: AbsolutePath): AbsolutePath;
  /**
   * Moves a file. Keeps the permissions of the file that it replaces, if any.
   */
  rename(from: AbsolutePath, to: AbsolutePath): void;
  /** Removes a file if it exists. */
  removeFile(path: AbsolutePath): void;
  /** Creates an empty temporary folder and returns its path. */
  createTemporaryFolder(): AbsolutePath;
  /** Removes a folder and its contents. */
  removeFolder(path: AbsolutePath): void;
  /** Removes a folder if it is empty. */
  removeEmptyFolder(path: AbsolutePath): void;
  /** Runs git in a folder. Returns its output, or null if it failed. */
  runGit(
    folder: AbsolutePath,
    args: readonly [GitCommand, ...string[]],
  ): string | null;
  /** Starts a command of the user's in a shell. Its output is this process's. */
  startCommand(command: string, folder: AbsolutePath): RunningCommand;
  /** Starts a command of the user's in a shell. Its errors are this process's. */
  startProgram(command: string, folder: AbsolutePath): RunningProgram;
  /**
   * Identifies the file or folder at a path: one that replaces it has another
   * identity. Returns null if there is none, or if its folder is not accessible.
   */
  identify(path: AbsolutePath): string | null;
  /**
   * Watches the entries of a folder, without those of its subfolders.
   *
   * Calls `onChange` with the name of an entry that changed, or with null if the
   * platform does not tell, and `onEnd` if the system stops watching. Returns a
   * function that stops watching. Errors: system errors, e.g. `ENOSPC`.
   */
  watch(
    folder: AbsolutePath,
    onChange: (name: string | null) => void,
    onEnd: (error: unknown) => void,
  ): () => void;
  isRunning(processId: number): boolean;
  readonly listen: Listen;
  /** Resolves when the user interrupts a command that runs forever. */
  untilInterrupted(): Promise<void>;
  /** Called before a command does any work beyond comparing files. */
  beforeWork(): void;
}

/** A file or folder that cannot be used, e.g. because of its permissions. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly path: string;
  /** The reason, e.g. `permission denied`. */
  readonly reason: string;
  /** Advice on how to fix the error, or null if the message is enough. */
  readonly help: string | null;

  constructor(
    path: string,
    verb: "read" | "write" | "watch",
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

/**
 * Decodes UTF-8 and keeps a byte order mark. Refuses other bytes, because replacing
 * them would change the author's text. Input: the path or the name of the file.
 * Errors: a {@link FileError} for such bytes.
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    const options = { fatal: true, ignoreBOM: true };
    return new TextDecoder("utf-8", options).decode(bytes);
  } catch {
    throw new FileError(path, "read", "it is not UTF-8 text");
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
  ELOOP: "it is part of a cycle of symbolic links",
  ENAMETOOLONG: "the name is too long",
};

/** Returns the code of a system error, e.g. `ENOENT`, or "". */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return reasons[codeOf(cause)] ?? text;
}

/** Thrown if a module does not end by itself, e.g. because of a loop. */
export class EndlessModuleError extends Error {
  override readonly name = "EndlessModuleError";

  /** Input: what happens instead, e.g. `takes longer than 60 s`. */
  constructor(module: string, fact: string) {
    super(`\`${module}\` ${fact}`);
  }
}

/** Thrown for an invalid command line. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Advice on how to fix the error, or null if the message is enough. */
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}
