import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AbsolutePath, toAbsolutePath } from "../system/paths.js";
import {
  type System,
  codeOf,
  FileError,
  type FolderEntry,
} from "../system/system.js";

/** The part of a system that accesses the disk. */
export type Files = Pick<
  System,
  | "readText"
  | "readBytes"
  | "listFolder"
  | "writeText"
  | "createText"
  | "isLink"
  | "realPath"
  | "rename"
  | "removeFile"
  | "createTemporaryFolder"
  | "removeFolder"
  | "removeEmptyFolder"
>;

/** Provides access to the real disk. */
export function createFiles(): Files {
  const readBytes = createByteReader();
  return {
    readText: (path) => readBytes(path)?.toString("utf8") ?? null,
    readBytes,
    listFolder,
    writeText: (path, text) => write(path, text, "w"),
    createText: (path, text) => write(path, text, "wx"),
    isLink,
    realPath,
    rename: (from, to) => attemptWrite(to, () => replace(from, to)),
    removeFile,
    createTemporaryFolder: () => {
      const path = join(tmpdir(), "ridlkit-");
      return attemptWrite(path, () =>
        realPath(toAbsolutePath(mkdtempSync(path))),
      );
    },
    removeFolder: (path) =>
      attemptWrite(path, () => rmSync(path, { recursive: true })),
    removeEmptyFolder,
  };
}

function attemptWrite<Value>(path: string, write: () => Value): Value {
  try {
    return write();
  } catch (error) {
    throw new FileError(path, "write", error);
  }
}

const absent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/** Reads a path. Returns null if it does not exist. */
function readIfThere<Value>(path: string, read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (absent.has(codeOf(error))) return null;
    throw new FileError(path, "read", error);
  }
}

/**
 * Reads into the same buffer each time, because allocating one is slower. Unlike
 * `readFileSync`, `readSync` also works in the archives of Yarn.
 */
function createByteReader(): (path: string) => Buffer | null {
  let memory = Buffer.allocUnsafeSlow(256 * 1024);
  const fill = (descriptor: number): Buffer => {
    let end = 0;
    for (;;) {
      const size = readSync(descriptor, memory, end, memory.length - end, null);
      end += size;
      if (size === 0) return memory.subarray(0, end);
      if (end === memory.length) memory = Buffer.concat([memory], end * 2);
    }
  };
  return (path) => readIfThere(path, () => withFile(path, fill));
}

/** Opens a file for reading. Refuses devices and pipes, which may never end. */
function withFile<Value>(
  path: string,
  read: (descriptor: number) => Value,
): Value {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile() || stats.isDirectory()) return read(descriptor);
    throw new Error("it is not a regular file");
  } finally {
    closeSync(descriptor);
  }
}

function listFolder(path: string): readonly FolderEntry[] | null {
  return readIfThere(path, () =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink() || isThere(path, entry.name))
      .map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
      })),
  );
}

/** Whether the target of a link exists. A cycle of links is an error later. */
function isThere(folder: string, link: string): boolean {
  try {
    return existsSync(realpathSync.native(join(folder, link)));
  } catch (error) {
    return !absent.has(codeOf(error));
  }
}

function isLink(path: string): boolean {
  const entry = readIfThere(path, () => lstatSync(path));
  return entry?.isSymbolicLink() === true;
}

function realPath(path: AbsolutePath): AbsolutePath {
  const found = readIfThere(path, () => realpathSync(path));
  return found === null ? path : toAbsolutePath(found);
}

function write(path: string, text: string, flag: "w" | "wx"): void {
  attemptWrite(path, () => {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag });
  });
}

/**
 * Creates a folder and its parents. With Node's `recursive` option, `mkdirSync`
 * never returns if no folder can be created, as in /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Replaces a file and keeps its permissions. */
function replace(from: string, to: string): void {
  const before = lstatSync(to, { throwIfNoEntry: false });
  if (before?.isFile() === true) chmodSync(from, before.mode);
  renameSync(from, to);
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
