import { type BoundMethod, Call, type Host } from "./call.js";
import { Context } from "./model/context.js";
import { judge } from "./credentials-check.js";
import { readTimeout, timeoutHeader } from "./model/deadline.js";
import { builtInErrors } from "../wire/errors.js";
import {
  isRetrieval,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";
import { report, unknownRoute } from "./responses/failed-answer.js";
import { isFull } from "./model/limits.js";
import { startObserving } from "./model/observation.js";
import { noParameters, readParameters } from "./model/parameters.js";
import { Refusal } from "./model/refusal.js";
import {
  type MessageResult,
  readBodyMessage,
  readFormMessage,
  readPathMessage,
  readQueryMessage,
  refuseContentType,
} from "./requests/request-message.js";
import { respond } from "./respond.js";
import { errorResponse } from "./responses/response.js";

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
    finish?.(busyResponse, busy, null);
    report(host.options, row, request, busy);
    return Promise.resolve(busyResponse);
  }
  const parts = { context, finish, host, method, request, timeoutMs, values };
  // One promise for the whole of it: every further one would be felt.
  return new Promise((resolve) => {
    const call = new Call(parts, resolve);
    void answer(call);
    // What is refused at once never gets to it.
    call.startDeadline();
  });
}

/** Too many requests are running. */
const busy = /* @__PURE__ */ new Refusal(
  { ...builtInErrors.WebrpcRequestFailed, status: 503 },
  "too many requests at once",
);

const busyResponse = /* @__PURE__ */ errorResponse(busy, {
  "retry-after": "1",
});

/**
 * Credentials, content type, message, handler, response, in that order. Waits
 * only for what is not there yet, and throws nothing that can be given: both
 * would be felt in a small call.
 */
async function answer<State>(call: Call<State>): Promise<void> {
  const { context, host, method, request, values } = call;
  const { createState } = host.options;
  const { row } = method;
  try {
    const parameters = readParameters(method.parameterNames, values);
    context.parameters = parameters;
    const isJudged = parameters !== noParameters && row.route.kind !== "rest";
    if (host.accepts !== null && isJudged) {
      const isKnown = await host.accepts(parameters);
      if (isKnown !== true) return call.fail(unknownRoute(request));
    }
    if (createState !== undefined) {
      context.state = await createState.call(host.options, context);
    }
    for (const check of method.credentials) {
      const verdict = judge(check, context);
      if (verdict instanceof Refusal) return call.fail(verdict);
      const isLetIn = isThenable(verdict) ? await verdict : verdict;
      // Nothing but `true` opens the door, whatever untyped verifiers return.
      if (isLetIn !== true) return call.fail(new Refusal(check.error));
    }
    if (!isRetrieval(request)) {
      const contentType = request.header("content-type");
      const refusal = refuseContentType(row, contentType);
      if (refusal !== null) return call.fail(refusal);
    }
    const read = isBodyText(call)
      ? readBodyMessage(
          row,
          request,
          await request.text(method.limits.maxBodyBytes),
          method.limits.maxDepth,
        )
      : await readMessage(call);
    if (read instanceof Refusal) return call.fail(read);
    const result = method.handler(read.message, context);
    const response = respond(call, isThenable(result) ? await result : result);
    call.succeed(response instanceof Promise ? await response : response);
  } catch (failure) {
    call.fail(failure);
  }
}

/** Whether the request message is the body; such calls wait for nothing else. */
function isBodyText<State>({ method, request }: Call<State>): boolean {
  const { route, upload } = method.row;
  return route.kind !== "rest" && upload === undefined && !isRetrieval(request);
}

/** The request message from the path, the query or a form. */
function readMessage<State>(
  call: Call<State>,
): MessageResult | Promise<MessageResult> {
  const { method, request, values } = call;
  const { limits, parameterNames, row } = method;
  if (row.route.kind === "rest") {
    return readPathMessage(row, parameterNames, values);
  }
  return row.upload === undefined || isRetrieval(request)
    ? readQueryMessage(row, request, limits)
    : readFormMessage(row, row.upload, request, limits);
}

/** Whether there is something to wait for. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
