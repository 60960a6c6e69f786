import { cacheableResponse } from "./conditional-read.js";
import { Context } from "./context.js";
import { type CredentialCheck, judge, refusal } from "./credentials-check.js";
import {
  deadlineExceeded,
  readTimeout,
  startDeadline,
  timeoutHeader,
} from "./deadline.js";
import { type RpcError, WebrpcClientDisconnectedError } from "../errors.js";
import type { ServerRequest, ServerResponse } from "./exchange.js";
import {
  type Answer,
  failedAnswer,
  report,
  unknownRoute,
} from "../client/failed-answer.js";
import { fileHead, fileStream } from "./file-response.js";
import { BusyError, isFull, type Limits, type Slots } from "./limits.js";
import { openLineStream } from "./line-stream.js";
import { type Finish, startObserving } from "./observation.js";
import {
  noParameters,
  type Parameters,
  readParameters,
} from "../client/parameters.js";
import {
  assertContentType,
  readBodyMessage,
  readPathMessage,
  readQueryMessage,
} from "./request-message.js";
import { okResponse, streamHead } from "./response.js";
import {
  fileOf,
  findMisfit,
  iterate,
  toResponseBody,
  toWireForm,
} from "./response-message.js";
import type { Handler, ServerMethod } from "./server-method.js";
import type { ServerOptions } from "./server-options.js";

/** A method of the table with what the host provides for it. */
export interface BoundMethod<State> {
  readonly row: ServerMethod;
  /** Path parameters, in the order of the path. */
  readonly parameterNames: readonly string[];
  readonly credentials: readonly CredentialCheck<State>[];
  /** With the interceptors around it. */
  readonly handler: Handler<State>;
  readonly limits: Limits;
  /** Whether it answers to GET besides POST. */
  readonly isRead: boolean;
  /** `Cache-Control` of what it answers to GET; null: caches are not thought of. */
  readonly cacheControl: string | null;
}

/** What is the same for all methods of a server. */
export interface Host<State> {
  readonly options: ServerOptions<State>;
  /** Of all methods together. */
  readonly slots: Slots;
  /** Judges the parameters of the base path; null: all will do. */
  readonly accepts: ((parameters: Parameters) => unknown) | null;
}

/** One request to a known method, with all that goes with it. */
interface Call<State> {
  readonly host: Host<State>;
  readonly method: BoundMethod<State>;
  /** Raw values of the path parameters. */
  readonly values: readonly string[];
  readonly request: ServerRequest;
  readonly context: Context<State>;
  readonly finish: Finish | null;
}

/** Answers one request to a known method. Never rejects. */
export function dispatch<State>(
  host: Host<State>,
  method: BoundMethod<State>,
  values: readonly string[],
  request: ServerRequest,
): Promise<ServerResponse> {
  const { limits, row } = method;
  const header = request.header(timeoutHeader);
  const timeoutMs = readTimeout(header, limits.timeoutMs);
  // Hosts with a state of their own give `createState`; the others' is undefined.
  const state = undefined as State;
  const context = new Context(row, request, timeoutMs, state);
  const finish = startObserving(host.options.observe, request, context);
  if (isFull(host.slots) || isFull(limits.slots)) {
    const busy = failedAnswer(host.options, row, request, new BusyError());
    finish?.(busy.response, busy.error, null);
    return Promise.resolve(busy.response);
  }
  const call = { host, method, values, request, context, finish };
  host.slots.taken += 1;
  limits.slots.taken += 1;
  // One promise for the whole of it: every further one would be felt.
  return new Promise((resolve) => run(call, timeoutMs, resolve));
}

/** Answers within the time there is; nothing is heard of what comes later. */
function run<State>(
  call: Call<State>,
  timeoutMs: number,
  resolve: (response: ServerResponse) => void,
): void {
  const { context, method } = call;
  let isAnswered = false;
  const end = (response: ServerResponse, error: RpcError | null): void => {
    isAnswered = true;
    stopDeadline();
    if (response.stream === undefined) close(call, response, error, null);
    resolve(response);
  };
  const fail = (failure: unknown): void => {
    if (isAnswered) return;
    const { response, error } = answerFailure(call, failure);
    end(response, error);
  };
  const stopDeadline = startDeadline(
    method.limits.deadline,
    timeoutMs,
    context.deadline,
    () => {
      const error = deadlineExceeded(timeoutMs);
      context.abort(error);
      fail(error);
    },
  );
  const settle = (outcome: ServerResponse | Failed): void => {
    if (outcome instanceof Failed) fail(outcome.failure);
    else if (!isAnswered) end(outcome, null);
  };
  void answer(call).then(settle);
}

/** What an answer came to that cannot be given. */
class Failed {
  readonly failure: unknown;

  constructor(failure: unknown) {
    this.failure = failure;
  }
}

function answerFailure<State>(call: Call<State>, failure: unknown): Answer {
  const { host, method, request } = call;
  const failed = failedAnswer(host.options, method.row, request, failure);
  return request.method === "GET" && method.cacheControl !== null
    ? withoutCaching(failed)
    : failed;
}

/** Gives the place back, and tells how the request has ended. */
function close<State>(
  { context, finish, host, method }: Call<State>,
  response: ServerResponse,
  error: RpcError | null,
  streamedBytes: number | null,
): void {
  host.slots.taken -= 1;
  method.limits.slots.taken -= 1;
  context.close();
  finish?.(response, error, streamedBytes);
}

/**
 * Content type, credentials, message, handler, response, in that order. Never
 * rejects: a promise that does before anybody waits for it makes hosts look for
 * who forgot to, which takes longer than a small call.
 */
async function answer<State>(
  call: Call<State>,
): Promise<ServerResponse | Failed> {
  const { context, host, method, request, values } = call;
  const { createState } = host.options;
  const { row } = method;
  try {
    const parameters = readParameters(method.parameterNames, values);
    context.parameters = parameters;
    const isJudged = parameters !== noParameters && row.route.kind !== "rest";
    if (host.accepts !== null && isJudged) {
      const isKnown = await host.accepts(parameters);
      if (isKnown !== true) throw unknownRoute(request);
    }
    if (request.method !== "GET") {
      assertContentType(row, request.header("content-type"));
    }
    if (createState !== undefined) {
      context.state = await createState.call(host.options, context);
    }
    for (const check of method.credentials) {
      const verdict = judge(check, context);
      // Nothing but `true` opens the door, whatever untyped verifiers return.
      if (verdict !== true && (await verdict) !== true) throw refusal(check);
    }
    const message = await readMessage(call);
    const result = await method.handler(message, context);
    return await respond(call, result);
  } catch (failure) {
    return new Failed(failure);
  }
}

/** The request message, from where the method has it. */
function readMessage<State>(call: Call<State>): unknown {
  const { method, request, values } = call;
  const { limits, parameterNames, row } = method;
  if (row.route.kind === "rest") {
    return readPathMessage(row, parameterNames, values);
  }
  return request.method === "GET"
    ? readQueryMessage(row, request, limits)
    : readBodyMessage(row, request, limits);
}

/** The answer that a handler's result makes. */
function respond<State>(
  call: Call<State>,
  result: unknown,
): ServerResponse | Promise<ServerResponse> {
  const { method, request } = call;
  const { cacheControl, row } = method;
  if (row.isStream === true) return openStream(call, result);
  if (row.download !== undefined) return openFile(call, result);
  const response = okResponse(printResponse(call, result));
  return request.method === "GET" && cacheControl !== null
    ? cacheableResponse(row, request, response, cacheControl)
    : response;
}

/** The answer that sends what a handler gives, element by element. */
async function openStream<State>(
  call: Call<State>,
  result: unknown,
): Promise<ServerResponse> {
  const { context, host, method, request } = call;
  const stream = await openLineStream({
    elements: iterate(method.row, result),
    keepAliveMs: method.limits.keepAliveMs,
    signal: context.signal,
    abort: (reason) => context.abort(reason),
    print: (element) => printResponse(call, element),
    fail: (error) => failedAnswer(host.options, method.row, request, error),
    onEnd: (error, byteLength) => close(call, streamHead, error, byteLength),
  });
  context.liftDeadline();
  return { ...streamHead, stream };
}

/** The answer that sends the file that a handler gives. */
function openFile<State>(call: Call<State>, result: unknown): ServerResponse {
  const { context, host, method, request } = call;
  const file = fileOf(method.row, checkResponse(call, result).message);
  // Nobody would read it to its end, or leave it.
  if (context.signal.aborted) throw new WebrpcClientDisconnectedError();
  const head = fileHead(file);
  const stream = fileStream(file, (failure, byteLength) => {
    const error =
      failure === null
        ? null
        : failedAnswer(host.options, method.row, request, failure).error;
    close(call, head, error, byteLength);
  });
  context.liftDeadline();
  return { ...head, stream };
}

/** Caches keep some errors, such as 404, unless told not to. */
function withoutCaching({ response, error }: Answer): Answer {
  const headers = { ...response.headers, "cache-control": "no-store" };
  return { response: { ...response, headers }, error };
}

/** A handler's result as text, checked as the options want it. */
function printResponse<State>(call: Call<State>, result: unknown): string {
  const { isFit, message } = checkResponse(call, result);
  return toResponseBody(call.method.row, message, isFit);
}

/** A handler's result in wire form, checked as the options want it. */
function checkResponse<State>(
  call: Call<State>,
  result: unknown,
): { readonly message: unknown; readonly isFit: boolean } {
  const { row } = call.method;
  const { options } = call.host;
  const mode = options.validateResponses ?? "throw";
  const message = toWireForm(row, result, mode === "off");
  if (mode === "off") return { message, isFit: false };
  const misfit = findMisfit(row, message);
  if (misfit === null) return { message, isFit: true };
  if (mode === "throw") throw misfit;
  report(options, row, call.request, misfit);
  return { message, isFit: false };
}
