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
  /** The content, from its beginning. */
  stream(): ReadableStream<Uint8Array>;
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
