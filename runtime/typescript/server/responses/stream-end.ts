import type { FileData } from "../../wire/file-data.js";
import { hasEnd } from "../../wire/stream-end.js";
import { builtInErrors } from "../../wire/errors.js";
import type { ServerRequest } from "../model/exchange.js";
import { Refusal } from "../model/refusal.js";
import type { ServerMethod } from "../model/server-method.js";
import {
  endedEventFormat,
  endedLineFormat,
  eventFormat,
  lineFormat,
  lineType,
  type StreamFormat,
} from "./stream-format.js";

/**
 * Returns how a method's items are written: as events if the method has an address
 * of its own, and otherwise as lines. The stream has an end if the client asks for
 * it.
 */
export function streamFormatOf(
  { route }: ServerMethod,
  request: ServerRequest,
): StreamFormat {
  const isEnded = hasEnd(request.header("accept"));
  if (route.kind === "rest") return isEnded ? endedEventFormat : eventFormat;
  return isEnded ? endedLineFormat : lineFormat;
}

/**
 * Returns a refusal for a stream of lines whose client could not tell its end from
 * a lost connection. Readers of events connect again after every end.
 */
export function refuseLostEnd(
  method: ServerMethod,
  request: ServerRequest,
): Refusal | null {
  const isSafe = request.endsByClose !== true || method.isStream !== true;
  return isSafe || streamFormatOf(method, request) !== lineFormat
    ? null
    : refuse("a stream");
}

/**
 * Returns a refusal for a stream of lines or a file, to be sent over HTTP/1.0,
 * whose client could not tell its end from a lost connection. The server did not
 * learn the version if a program copied the request.
 */
export function refuseUnknownEnd(
  headers: Readonly<Record<string, unknown>>,
): Refusal | null {
  const type = String(headers["content-type"]);
  if (type.startsWith(lineType)) {
    return hasEnd(type) ? null : refuse("a stream");
  }
  const isFile = headers["content-disposition"] !== undefined;
  const isSafe = !isFile || headers["content-length"] !== undefined;
  return isSafe ? null : refuse("a file of unknown size");
}

/** Returns a refusal for a file that the client could take for a longer part. */
export function refuseUnknownSize(
  { endsByClose, method }: ServerRequest,
  { size }: Pick<FileData, "size">,
): Refusal | null {
  const isSafe = endsByClose !== true || method === "HEAD";
  return isSafe || size !== undefined ? null : refuse("a file of unknown size");
}

function refuse(content: string): Refusal {
  const cause =
    `the end of ${content} cannot be told from a lost connection over HTTP/1.0;` +
    " use HTTP/1.1 (nginx: proxy_http_version 1.1)";
  return new Refusal(
    { ...builtInErrors.WebrpcRequestFailed, status: 505 },
    cause,
  );
}
