/**
 * A file on its way, in a request or as a response. Every `Blob` and `File` is
 * one, and so is `{ type: "text/csv", stream: () => readable }`.
 */
export interface FileData {
  /** E.g. `photo.jpg`; whatever the sender says. */
  readonly name?: string;
  /** Media type as the sender says, e.g. `image/jpeg`; may be empty. */
  readonly type: string;
  /** In bytes; absent when it is not known. */
  readonly size?: number;
  /** The content, from its beginning; what is still on its way comes once. */
  stream(): ReadableStream<Uint8Array>;
}

/**
 * The whole file, in memory.
 *
 * Errors: those of its stream.
 */
export async function toFile(file: FileData): Promise<File> {
  if (file instanceof File) return file;
  const { name = "", type } = file;
  const content = await new Response(file.stream()).blob();
  return new File([content], name, { type });
}

/** Whether `value` is a {@link FileData}. */
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
