import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import type { BodyStream, ServerResponse } from "../model/exchange.js";
import type { FileData } from "../../wire/file-data.js";
import { takeFrom } from "./taking.js";

/** Creates a successful response for a file, without the file's content. */
export function fileHead(
  { name, size, type }: FileData,
  status = 200,
): ServerResponse {
  const headers = {
    "content-type": isMediaType(type) ? type : "application/octet-stream",
    // Browsers must not display the file.
    "content-disposition": dispositionOf(name),
    "x-content-type-options": "nosniff",
    ...(size !== undefined && { "content-length": String(size) }),
  };
  return { status, headers, body: "" };
}

/**
 * Reads the content of a file no faster than it is consumed. Cancels the file
 * if the reader stops, if an error occurs, or if the signal aborts.
 *
 * Input: `onEnd` is called once. `error` is null if everything was sent.
 */
export function fileStream(
  file: Pick<FileData, "size" | "stream">,
  signal: AbortSignal,
  onEnd: (error: unknown, byteLength: number) => void,
): BodyStream {
  const reader = file.stream().getReader();
  let byteLength = 0;
  let isOver = false;
  const end = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", leave);
    if (error !== null) reader.cancel(error).catch(() => {});
    onEnd(error, byteLength);
  };
  const leave = (): void => cancel();
  const cancel = (reason: Error = new WebrpcClientDisconnectedError()): void =>
    end(reason);
  signal.addEventListener("abort", leave);
  const next = async (): Promise<Uint8Array | null> => {
    const { size = NaN } = file;
    let piece: Uint8Array | undefined;
    let read: Awaited<ReturnType<typeof reader.read>>;
    // The last byte completes the response, so nothing can follow.
    do {
      read = await reader.read();
      piece ??= read.value;
      byteLength += read.value?.byteLength ?? 0;
    } while (!read.done && byteLength === size);
    if (read.done ? byteLength < size : byteLength > size)
      throw new Error(`the file does not have ${size} bytes`);
    if (piece === undefined) end(null);
    return piece ?? null;
  };
  const take = takeFrom(async () => {
    if (isOver) return null;
    try {
      return await next();
    } catch (error) {
      end(error);
      throw error;
    }
  });
  return { take, cancel };
}

/** Whether a value is a media type. Others could start a new header. */
function isMediaType(type: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\t\x20-\x7e]*)?$/u.test(type);
}

/** Returns `Content-Disposition` (RFC 6266), also for any name (RFC 8187). */
function dispositionOf(name: string | undefined): string {
  if (name === undefined || name === "") return "attachment";
  const plain = name.replace(/[^\x20-\x7e]/gu, "_");
  const quoted = plain.replace(/["\\]/gu, "\\$&");
  const base = `attachment; filename="${quoted}"`;
  return plain === name ? base : `${base}; filename*=UTF-8''${encode(name)}`;
}

function encode(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /['()*]/gu,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}
