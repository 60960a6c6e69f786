import type { CliHost } from "../host.js";
import { FileError } from "../host.js";

/**
 * Text of a document; null when there is no such file. Bytes that are no
 * UTF-8 would come out as another text than the author's, and be written so.
 *
 * Errors: a {@link FileError} for such bytes, and for files without permission.
 */
export function readDocument(
  path: string,
  host: Pick<CliHost, "readText" | "readBytes">,
): string | null {
  const text = host.readText(path);
  // What cannot be decoded comes out as this character, which texts may have.
  if (text?.includes("\uFFFD") !== true) return text;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(
      host.readBytes(path) ?? undefined,
    );
    return text;
  } catch {
    throw new FileError(path, "read", "it is not UTF-8 text");
  }
}
