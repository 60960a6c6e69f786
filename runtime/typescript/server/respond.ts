import type { FileData } from "../wire/file-data.js";
import type { ServerCall } from "./call.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import { parseJson, stringifyJson } from "../wire/json.js";
import { errorMember } from "../wire/stream-end.js";
import type { Eventually } from "./model/eventually.js";
import { createSendLimits, type PaceLimits } from "./model/pace.js";
import {
  type BodyStream,
  isRetrieval,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";
import type { ServerMethod } from "./model/server-method.js";
import { printedOf } from "./log/shared-item.js";
import { report } from "./responses/failed-answer.js";
import { fileHead, fileStream } from "./responses/file-response.js";
import { openLineStream } from "./responses/line-stream.js";
import { maxPieceBytes, PacedStream } from "./responses/paced-stream.js";
import { okResponse } from "./responses/response.js";
import { refuseUnknownSize, streamFormatOf } from "./responses/stream-end.js";
import { lineFormat, type StreamFormat } from "./responses/stream-format.js";
import { successOf } from "./responses/success.js";
import {
  fileOf,
  findViolation,
  InvalidResponseError,
  iterate,
  responseHeaders,
  toResponseBody,
  toWireForm,
} from "./responses/response-message.js";

/** Creates the response from a handler's result. */
export function respond<State>(
  call: ServerCall<State>,
  result: unknown,
): Eventually<ServerResponse> {
  const { method, request } = call;
  const { conditional, row } = method;
  if (row.isStream === true) return openStream(call, result);
  if (row.download !== undefined) return openFile(call, result);
  const response = wholeResponse(call, result);
  const whole =
    conditional !== null && isRetrieval(request)
      ? conditional.respond(request, response)
      : response;
  return whole instanceof Promise
    ? whole.then((each) => holdSlots(call, each))
    : holdSlots(call, whole);
}

/** Creates the response from the result of a method without streams or files. */
export function wholeResponse<State>(
  call: ServerCall<State>,
  result: unknown,
): ServerResponse {
  const { limits, row } = call.method;
  const checked = checkResponse(call, result);
  const success = successOf(row, checked.message);
  const response = okResponse(
    toResponseBody(row, checked.message, checked.isFit, success?.body),
    limits.send,
    success?.status ?? statusOf(row),
  );
  const fields = responseHeaders(row, checked.message);
  if (fields === null) return response;
  return { ...response, headers: { ...response.headers, ...fields } };
}

/** Returns the status that a method's address defines, which is 200 by default. */
function statusOf({ route }: ServerMethod): number | undefined {
  return route.kind === "rest" ? route.status : undefined;
}

/**
 * Returns a response that occupies the call's slots until all of a long body is
 * sent. Otherwise, clients that read nothing could make the server keep any
 * number of such bodies.
 */
export function holdSlots<State>(
  call: ServerCall<State>,
  response: ServerResponse,
): ServerResponse {
  if (call.admission === null) return response;
  const { body, headers } = response;
  const isShort = body.length <= maxPieceBytes;
  if (isShort || call.request.method === "HEAD") return response;
  // Nothing reads the content, and the signal would not abort again.
  if (call.context.signal.aborted) return response;
  const content = new Blob([body]);
  const length = { "content-length": String(content.size) };
  const head = { ...response, headers: { ...headers, ...length }, body: "" };
  return openContent(call, head, content);
}

/**
 * Creates the response that sends a handler's items one by one: as events if the
 * method has an address of its own, and otherwise as lines.
 */
async function openStream<State>(
  call: ServerCall<State>,
  result: unknown,
): Promise<ServerResponse> {
  const { context, method, request } = call;
  const { row } = method;
  const format = streamFormatOf(row, request);
  const head = { ...format.head, status: statusOf(row) ?? 200 };
  const elements = iterate(row, result);
  if (request.method === "HEAD") {
    // Nothing reads the items.
    void Promise.resolve(elements.return?.()).catch(() => {});
    return head;
  }
  call.startStream();
  const stream = await openLineStream({
    format,
    elements,
    onStop: () => call.endStream(),
    keepAliveMs: method.limits.keepAliveMs,
    signal: context.signal,
    abort: (reason) => context.abort(reason),
    print: (element) =>
      withoutErrorMember(call, format, printItem(call, element)),
    fail: (error) => call.failedAnswer(error, format.place),
    onEnd: (error, byteLength) => call.close(head, error, byteLength),
  });
  return { ...head, stream: paced(call, stream) };
}

/**
 * Returns an item without a member that clients would take for the error at the
 * end of the stream. Data of one client could otherwise end the streams of others.
 */
function withoutErrorMember<State>(
  { host, method: { row }, request }: ServerCall<State>,
  format: StreamFormat,
  json: string,
): string {
  if (format !== lineFormat || !json.includes(`"${errorMember}"`)) return json;
  const message = Object(parseJson(json));
  if (!Object.hasOwn(message, errorMember)) return json;
  const cause = `the item has a member ${errorMember}, which was not sent`;
  const violation = new InvalidResponseError(row, [], cause);
  report(host.options, row, request, violation);
  const { [errorMember]: _, ...rest } = message;
  return stringifyJson(rest);
}

/** Creates the response that sends a handler's file. */
function openFile<State>(
  call: ServerCall<State>,
  result: unknown,
): ServerResponse {
  const { context, method, request } = call;
  const file = fileOf(method.row, checkResponse(call, result).message);
  if (context.signal.aborted) {
    // After this error, no other code reads or cancels the content.
    discard(file);
    throw new WebrpcClientDisconnectedError();
  }
  const head = downloadHead(method, request, file);
  const refusal = refuseUnknownSize(request, file);
  if (refusal === null && request.method !== "HEAD")
    return openContent(call, head, file);
  discard(file);
  if (refusal !== null) throw refusal;
  return head;
}

function discard(file: FileData): void {
  file
    .stream()
    .cancel()
    .catch(() => {});
}

/** Creates a response for a file, without the content. It has no tag. */
function downloadHead<State>(
  { conditional, row }: ServerCall<State>["method"],
  request: ServerRequest,
  file: FileData,
): ServerResponse {
  const head = fileHead(file, statusOf(row));
  if (conditional === null || !isRetrieval(request)) return head;
  return { ...head, headers: { ...head.headers, ...conditional.headers } };
}

/** Sends content that is read on demand. */
function openContent<State>(
  call: ServerCall<State>,
  head: ServerResponse,
  content: Pick<FileData, "size" | "stream">,
): ServerResponse {
  const { signal } = call.context;
  const stream = fileStream(content, signal, (failure, byteLength) => {
    const error = failure === null ? null : call.failedAnswer(failure).error;
    call.close(head, error, byteLength);
  });
  return { ...head, stream: paced(call, stream) };
}

const noLimits: PaceLimits = /* @__PURE__ */ createSendLimits(Infinity);

/** Begins to send a body. There is no deadline after that, but a lowest rate. */
function paced<State>(
  { admission, context, method, request }: ServerCall<State>,
  stream: BodyStream,
): BodyStream {
  context.liftDeadline();
  // A client in the same process takes a piece only when it needs it.
  const limits = request.isLocal === true ? noLimits : method.limits.send;
  return new PacedStream(stream, limits, () => admission?.renew());
}

/**
 * Validates an item as the options require, and prints it. An item of a stream log
 * is printed once for all its subscribers.
 */
function printItem<State>(call: ServerCall<State>, item: unknown): string {
  const { method } = call;
  const printed = printedOf(item);
  if (printed?.by === method) return printed.text;
  const { isFit, message } = checkResponse(call, item);
  const text = toResponseBody(method.row, message, isFit);
  if (printed !== null && isFit) Object.assign(printed, { by: method, text });
  return text;
}

/**
 * Converts a handler's result to its wire form, and validates it as the options
 * require.
 */
function checkResponse<State>(
  call: ServerCall<State>,
  result: unknown,
): { readonly message: unknown; readonly isFit: boolean } {
  const { row } = call.method;
  const { options } = call.host;
  const mode = options.validateResponses ?? "throw";
  const message = toWireForm(row, result);
  if (mode === "off") return { message, isFit: false };
  const violation = findViolation(row, message);
  if (violation === null) return { message, isFit: true };
  if (mode === "throw") throw violation;
  report(options, row, call.request, violation);
  return { message, isFit: false };
}
