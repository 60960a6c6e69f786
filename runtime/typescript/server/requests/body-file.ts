import type { FileData } from "../../wire/file-data.js";
import type { ServerRequest } from "../model/exchange.js";
import type { RequestLimits } from "../model/body-pace.js";
import { streamedFile } from "./streamed-file.js";

/**
 * Returns the file that is the whole body of a request, while it is still being
 * received. Null if the request has neither a content nor a content type.
 *
 * Errors: any error from reading the body. If the file is read later, its reader
 * gets them.
 */
export async function readBodyFile(
  request: ServerRequest,
  { upload }: RequestLimits,
): Promise<FileData | null> {
  upload.held?.pass();
  const chunks = request.chunks(upload, "bytes")[Symbol.asyncIterator]();
  const next = async (): Promise<Uint8Array | null> => {
    const { done, value } = await chunks.next();
    return done === true ? null : value;
  };
  const type = request.header("content-type");
  // Only the content tells an empty file from none.
  let first = type === null ? await next() : null;
  if (type === null && first === null) return null;
  const read = async (): Promise<Uint8Array | null> => {
    const piece = first ?? (await next());
    first = null;
    return piece;
  };
  const cancel = (): void => void chunks.return?.().catch(() => {});
  // Without a type, RFC 9110 permits this one (section 8.3).
  return streamedFile(
    { type: type ?? "application/octet-stream" },
    read,
    cancel,
  );
}
