import { posix } from "node:path";
import type { DocumentReader } from "../../1-parse/load/load-documents.js";
import type { System } from "../system/system.js";
import { readDocument } from "./read-document.js";

/** A reader that records what it read. */
export interface RecordingReader extends DocumentReader {
  /** Text of every path that was read; null where there was no file. */
  readonly reads: ReadonlyMap<string, string | null>;
}

/**
 * Reads documents below `root` from the disk, each once. A folder is no
 * document: whoever imports one is told where.
 */
export function createRecordingReader(
  root: string,
  system: Pick<System, "readText" | "readBytes" | "listFolder">,
): RecordingReader {
  const reads = new Map<string, string | null>();
  const read = (path: string): string | null => {
    const known = reads.get(path);
    if (known !== undefined) return known;
    const absolute = posix.join(root, path);
    const text = readUnlessFolder(absolute, system);
    reads.set(path, text);
    return text;
  };
  return { read, reads };
}

function readUnlessFolder(
  path: string,
  system: Pick<System, "readText" | "readBytes" | "listFolder">,
): string | null {
  try {
    return readDocument(path, system);
  } catch (error) {
    if (system.listFolder(path) !== null) return null;
    throw error;
  }
}
