/**
 * A file in a request or a response. Examples are every `Blob` and `File`, and
 * `{ type: "text/csv", stream: () => readable }`.
 */
export interface FileData {
  /** Name according to the sender, e.g. `photo.jpg`. */
  readonly name?: string;
  /** Media type according to the sender, e.g. `image/jpeg`. May be empty. */
  readonly type: string;
  /** Size in bytes. Absent if unknown. */
  readonly size?: number;
  /**
   * Returns the content. A file that is still being received can be read only
   * once.
   */
  stream(): ReadableStream<Uint8Array>;
}

/**
 * Reads a whole file into memory.
 *
 * Errors: any error from its stream.
 */
export async function toFile(file: FileData): Promise<File> {
  if (file instanceof File) return file;
  const { name = "", type } = file;
  const content = await new Response(file.stream()).blob();
  return new File([content], name, { type });
}

/** Whether a value is a {@link FileData}. */
export function isFileData(value: unknown): value is FileData {
  return (
    typeof value === "object" &&
    value !== null &&
    "stream" in value &&
    typeof value.stream === "function" &&
    "type" in value &&
    typeof value.type === "string"
  );
}
