import { answerKeyed } from "./answer-keyed.js";
import {
  type BoundMethod,
  ServerCall,
  type Host,
  withoutCaching,
} from "./call.js";
import { Context } from "./model/context.js";
import { checkCredential } from "./credentials-check.js";
import { requiredOf } from "./model/credential-place.js";
import { readTimeout, timeoutHeader } from "./model/deadline.js";
import { type Eventually, follow } from "./model/eventually.js";
import {
  isRetrieval,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";
import { refusalResponse } from "./responses/error-data.js";
import { report, unknownRoute } from "./responses/failed-answer.js";
import { busy } from "./model/places.js";
import { startObserving } from "./model/observation.js";
import { noParameters, readParameters } from "./model/parameters.js";
import { Refusal } from "./model/refusal.js";
import {
  readBodyMessage,
  readQueryMessage,
  refuseBody,
} from "./requests/request-message.js";
import type { MessageResult } from "./model/server-method.js";
import { respond } from "./respond.js";
import { errorResponse } from "./responses/response.js";
import { refuseLostEnd } from "./responses/stream-end.js";

/** Handles one request to a known method. Never rejects. */
export function dispatch<State>(
  host: Host<State>,
  method: BoundMethod<State>,
  values: readonly string[],
  request: ServerRequest,
): Promise<ServerResponse> {
  const { limits, row } = method;
  const header = request.header(timeoutHeader);
  const timeoutMs = readTimeout(header, limits.timeoutMs);
  // Only servers with state define `createState`. For others, the state is
  // undefined.
  const state = undefined as State;
  const context = new Context(row, request, timeoutMs, state);
  const finish = startObserving(host.options.observe, request, context);
  // If all slots are taken and queuing is disabled, reject the request without
  // reading any of it.
  if (method.places.some(({ isClosed }) => isClosed)) {
    const { errorBody } = row;
    const response = errorBody
      ? refusalResponse(busy, busy.headers, errorBody)
      : busyResponse;
    finish?.(response, busy, null);
    report(host.options, row, request, busy);
    return Promise.resolve(withoutCaching(method, request, response));
  }
  const parts = { context, finish, host, method, request, timeoutMs, values };
  // Use a single promise for the whole call, because each promise costs time.
  return new Promise((resolve) => {
    const call = new ServerCall(parts, resolve);
    void answer(call);
    // This does nothing if the call was rejected immediately.
    call.startDeadline();
  });
}

/** Most hosts have no body of errors, and an overloaded server sends many. */
const busyResponse = /* @__PURE__ */ errorResponse(busy, busy.headers);

/**
 * Handles path parameters, state, credentials, content type, message, handler,
 * and response, in this order. For speed, it only awaits results that are not
 * available yet, and returns failures instead of throwing them where possible.
 */
async function answer<State>(call: ServerCall<State>): Promise<void> {
  const { admission, context, host, method, request, values } = call;
  const { createState } = host.options;
  const { row } = method;
  try {
    const parameters = readParameters(method.parameterNames, values);
    context.parameters = parameters;
    const isChecked = parameters !== noParameters && row.route.kind !== "rest";
    if (host.accepts !== null && isChecked) {
      const isKnown = await host.accepts(parameters);
      if (isKnown !== true) return call.fail(unknownRoute(request));
    }
    if (createState !== undefined) {
      context.state = await createState.call(host.options, context);
    }
    const required = requiredOf(
      method.credentials,
      row.alternatives,
      context.header,
    );
    for (const check of required) {
      const verdict = checkCredential(check, context);
      const refusal = verdict instanceof Promise ? await verdict : verdict;
      if (refusal !== null) return call.fail(refusal);
    }
    context.passed("credentials-accepted");
    if (request.endsByClose === true) {
      const refusal = refuseLostEnd(row, request);
      if (refusal !== null) return call.fail(refusal);
    }
    if (!isRetrieval(request)) {
      const refusal = refuseBody(row, request, host.options.cors);
      const refused = refusal ?? admission?.startBody() ?? null;
      if (refused !== null) return call.fail(refused);
    }
    const read = isBodyText(call)
      ? readBodyText(
          call,
          await request.text(call.limits.body, row.isExact === true),
        )
      : await readMessage(call);
    if (read instanceof Refusal) return call.fail(read);
    context.passed("request-accepted");
    if (admission !== null) {
      admission.endBody();
      const entry = admission.enter();
      const refusal = entry instanceof Promise ? await entry : entry;
      if (refusal !== null) return call.fail(refusal);
      context.passed("admitted");
    }
    if (call.isAnswered) return;
    const { idempotency } = method;
    if (idempotency !== null) {
      return await answerKeyed(call, read, idempotency);
    }
    const result = method.handler(read.message, context);
    const response = follow(result, (value) => {
      context.passed("handled");
      return respond(call, value);
    });
    call.succeed(response instanceof Promise ? await response : response);
  } catch (failure) {
    call.fail(call.held?.isFull === true ? busy : failure);
  } finally {
    call.settle();
  }
}

/**
 * Whether the body is the request message. Such calls wait only for the body's
 * text.
 */
function isBodyText<State>({ method, request }: ServerCall<State>): boolean {
  return method.read === null && !isRetrieval(request);
}

function readBodyText<State>(
  { context, method, request }: ServerCall<State>,
  text: string,
): MessageResult {
  context.passed("body-received");
  const { limits, row } = method;
  return readBodyMessage(row, request, text, limits.maxDepth);
}

/**
 * Reads the request message from the path, the query, a form, or a part of it
 * from the body.
 */
function readMessage<State>(
  call: ServerCall<State>,
): Eventually<MessageResult> {
  const { limits, method, request, values } = call;
  const { read, row } = method;
  // GET has no body, also for a method whose body is a form with files.
  const isQuery = row.route.kind === "rpc" && isRetrieval(request);
  return read === null || isQuery
    ? readQueryMessage(row, request, limits)
    : read(values, request, limits);
}
