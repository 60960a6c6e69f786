import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import {
  type System,
  codeOf,
  FileError,
  type FolderEntry,
} from "../system/system.js";

/** The part of a system that is about the disk. */
export type Files = Pick<
  System,
  | "readText"
  | "readBytes"
  | "listFolder"
  | "writeText"
  | "rename"
  | "removeFile"
  | "removeEmptyFolder"
>;

/** The real disk. */
export function createFiles(): Files {
  return {
    readText: (path) => readIfThere(path, () => readFileSync(path, "utf8")),
    readBytes: createByteReader(),
    listFolder,
    writeText,
    rename: (from, to) => attempt(to, "write", () => replace(from, to)),
    removeFile,
    removeEmptyFolder,
  };
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

/** What is read of a path; null when there is nothing. */
function readIfThere<Value>(path: string, read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (absent.has(codeOf(error))) return null;
    throw new FileError(path, "read", error);
  }
}

/** Reads into the same memory each time: asking for it takes longer than that. */
function createByteReader(): System["readBytes"] {
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
    readIfThere(path, () => {
      const descriptor = openSync(path, "r");
      try {
        return fill(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
}

function listFolder(path: string): readonly FolderEntry[] | null {
  return readIfThere(path, () =>
    readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    })),
  );
}

function writeText(path: string, text: string): void {
  attempt(path, "write", () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  });
}

/** Who may read a file stays as it was, and a link goes on leading to it. */
function replace(from: string, to: string): void {
  const before = lstatSync(to, { throwIfNoEntry: false });
  if (before?.isSymbolicLink() === true) {
    writeFileSync(to, readFileSync(from));
    rmSync(from);
    return;
  }
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
