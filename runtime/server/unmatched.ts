import { builtInErrors } from "../wire/errors.js";
import type { ServerRequest, ServerResponse } from "./model/exchange.js";
import { type Observe, startObserving } from "./model/observation.js";
import { Refusal } from "./model/refusal.js";
import { pathOf } from "./model/route.js";
import { unknownRoute } from "./responses/failed-answer.js";
import { errorResponse } from "./responses/response.js";

/** Responds to a path that no method has. */
export function answerUnknown(
  request: ServerRequest,
  observe?: Observe,
): Promise<ServerResponse> {
  return refuse(request, observe, unknownRoute(request));
}

/** Responds to an HTTP method that a path does not accept. */
export function answerWrongVerb(
  request: ServerRequest,
  allow: string,
  observe?: Observe,
): Promise<ServerResponse> {
  const path = pathOf(request.target);
  const cause = `${path} accepts ${allow}, not ${request.method}`;
  const refusal = new Refusal(builtInErrors.WebrpcBadMethod, cause);
  return refuse(request, observe, refusal, { allow });
}

/** Responds to a request that matches no method. */
export function refuse(
  request: ServerRequest,
  observe: Observe | undefined,
  refusal: Refusal,
  headers?: Readonly<Record<string, string>>,
): Promise<ServerResponse> {
  const finish = startObserving(observe, request, null);
  const response = errorResponse(refusal, headers);
  finish?.(response, refusal, null);
  return Promise.resolve(response);
}
