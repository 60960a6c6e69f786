import { type FileData, isFileData, toFile } from "./file-data.js";

/** A field name and its file. */
export type FilePart = readonly [field: string, file: Blob, name: string];

/**
 * Converts files to parts of a form. Reads streams into memory, because the
 * request may have to be repeated. Stops reading all of them if one fails or the
 * signal aborts.
 *
 * Errors: TypeError with the field if its value is not a file. A `Blob` of React
 * Native is one, although it has no `stream`.
 */
export async function toParts(
  fields: readonly [string, unknown][],
  signal: AbortSignal | null,
): Promise<readonly FilePart[]> {
  const files = fields.flatMap(([field, value]) =>
    [value].flat().map((file: unknown): [string, unknown] => [field, file]),
  );
  // An optional file can be absent. Sending nothing for any other value would
  // look like a success.
  const isSent = ([field, file]: [string, unknown]): boolean => {
    if (file == null) return false;
    if (file instanceof Blob || isFileData(file)) return true;
    throw new TypeError(`${field}: expected a file, such as a Blob`);
  };
  const stop = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    return await Promise.all(
      files
        .filter((pair): pair is [string, FileData] => isSent(pair))
        .map(async ([field, file]): Promise<FilePart> => {
          const content =
            file instanceof Blob
              ? file
              : await toFile(untilAbort(file, stop.signal));
          return [field, content, file.name || field];
        }),
    );
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Returns a file whose stream fails and is canceled if the signal aborts. */
function untilAbort(file: FileData, signal: AbortSignal): FileData {
  const stream = (): ReadableStream<Uint8Array> =>
    file.stream().pipeThrough(new TransformStream(), { signal });
  return { type: file.type, stream };
}
