import type { AbsolutePath } from "../system/paths.js";
import { decodeText, FileError, type System } from "../system/system.js";

/** Maximum number of characters. No person writes that many. */
const maxLength = 16_000_000;

/**
 * Reads the text of a document. Returns null if it does not exist. Refuses
 * bytes that are not UTF-8, because decoding them would change the author's
 * text.
 *
 * Errors: a {@link FileError} for such bytes, for files that are too large, and
 * for missing permissions.
 */
export function readDocument(
  path: AbsolutePath,
  system: Pick<System, "readText" | "readBytes">,
): string | null {
  const text = system.readText(path);
  if (text !== null && text.length > maxLength) {
    throw new FileError(path, "read", "it is larger than 16 MB");
  }
  // Invalid bytes decode to this character, which valid text may also contain.
  if (text?.includes("\uFFFD") !== true) return text;
  decodeText(system.readBytes(path) ?? new Uint8Array(), path);
  return text;
}
