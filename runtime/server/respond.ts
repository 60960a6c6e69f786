import type { Call } from "./call.js";
import { cacheableResponse } from "./responses/conditional-read.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import type { Eventually } from "./model/eventually.js";
import { isRetrieval, type ServerResponse } from "./model/exchange.js";
import { report } from "./responses/failed-answer.js";
import { fileHead, fileStream } from "./responses/file-response.js";
import { openLineStream } from "./responses/line-stream.js";
import { okResponse, streamHead } from "./responses/response.js";
import {
  fileOf,
  findViolation,
  iterate,
  toResponseBody,
  toWireForm,
} from "./responses/response-message.js";

/** Creates the response from a handler's result. */
export function respond<State>(
  call: Call<State>,
  result: unknown,
): Eventually<ServerResponse> {
  const { method, request } = call;
  const { cacheControl, row } = method;
  if (row.isStream === true) return openStream(call, result);
  if (row.download !== undefined) return openFile(call, result);
  const response = okResponse(printResponse(call, result));
  return cacheControl !== null && isRetrieval(request)
    ? cacheableResponse(row, request, response, cacheControl)
    : response;
}

/** Creates the response that sends a handler's items one by one. */
async function openStream<State>(
  call: Call<State>,
  result: unknown,
): Promise<ServerResponse> {
  const { context, method } = call;
  const elements = iterate(method.row, result);
  call.startStream();
  const stream = await openLineStream({
    elements,
    onStop: () => call.endStream(),
    keepAliveMs: method.limits.keepAliveMs,
    signal: context.signal,
    abort: (reason) => context.abort(reason),
    print: (element) => printResponse(call, element),
    fail: (error) => call.failedAnswer(error),
    onEnd: (error, byteLength) => call.close(streamHead, error, byteLength),
  });
  context.liftDeadline();
  return { ...streamHead, stream };
}

/** Creates the response that sends a handler's file. */
function openFile<State>(call: Call<State>, result: unknown): ServerResponse {
  const { context, method } = call;
  const file = fileOf(method.row, checkResponse(call, result).message);
  if (context.signal.aborted) {
    // After this error, no other code reads or cancels the content.
    file
      .stream()
      .cancel()
      .catch(() => {});
    throw new WebrpcClientDisconnectedError();
  }
  const head = fileHead(file);
  const stream = fileStream(file, context.signal, (failure, byteLength) => {
    const error = failure === null ? null : call.failedAnswer(failure).error;
    call.close(head, error, byteLength);
  });
  context.liftDeadline();
  return { ...head, stream };
}

/** Validates a handler's result as the options require, and prints it. */
function printResponse<State>(call: Call<State>, result: unknown): string {
  const { isFit, message } = checkResponse(call, result);
  return toResponseBody(call.method.row, message, isFit);
}

/**
 * Converts a handler's result to its wire form, and validates it as the options
 * require.
 */
function checkResponse<State>(
  call: Call<State>,
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
