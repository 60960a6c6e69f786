import type { ChangedDocument } from "../project/fix-documents.js";
import { toAbsolutePath } from "../system/paths.js";
import { FileError, type System } from "../system/system.js";

/**
 * Returns the text of a source file before and after a change, including a byte
 * order mark, which compilers strip.
 *
 * Input: its path, and its text as a compiler has read it.
 * Errors: a `FileError` if the file is not UTF-8 text.
 */
export function changeSource(
  path: string,
  text: string,
  changed: string,
  system: System,
): ChangedDocument {
  const before = decodeFile(path, system);
  const start = before.length - text.length;
  if (before.slice(start) !== text) throw notText(path);
  return { path, before, after: before.slice(0, start) + changed };
}

function decodeFile(path: string, system: System): string {
  const bytes = system.readBytes(toAbsolutePath(path)) ?? new Uint8Array();
  const options = { fatal: true, ignoreBOM: true };
  try {
    return new TextDecoder("utf-8", options).decode(bytes);
  } catch (error) {
    throw error instanceof TypeError ? notText(path) : error;
  }
}

function notText(path: string): FileError {
  return new FileError(path, "write", new Error("it is not UTF-8 text"));
}
