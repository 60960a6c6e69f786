import type { System } from "../system/system.js";
import { FileError } from "../system/system.js";

/** No document that a person writes is nearly as long, in characters. */
const maxLength = 16_000_000;

/**
 * Text of a document; null when there is no such file. Bytes that are no
 * UTF-8 would come out as another text than the author's, and be written so.
 *
 * Errors: a {@link FileError} for such bytes, and for files without permission.
 */
export function readDocument(
  path: string,
  system: Pick<System, "readText" | "readBytes">,
): string | null {
  const text = system.readText(path);
  if (text !== null && text.length > maxLength) {
    throw new FileError(path, "read", "it is larger than 16 MB");
  }
  // What cannot be decoded comes out as this character, which texts may have.
  if (text?.includes("\uFFFD") !== true) return text;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(
      system.readBytes(path) ?? undefined,
    );
    return text;
  } catch {
    throw new FileError(path, "read", "it is not UTF-8 text");
  }
}
