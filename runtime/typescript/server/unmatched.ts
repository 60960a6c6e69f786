import { builtInErrors } from "../wire/errors.js";
import type { ServerRequest, ServerResponse } from "./model/exchange.js";
import { type Observe, startObserving } from "./model/observation.js";
import type { ErrorBody } from "./model/server-method.js";
import { Refusal, type Skew } from "./model/refusal.js";
import { pathOf } from "./model/route.js";
import { unknownRoute } from "./responses/failed-answer.js";
import { refusalResponse } from "./responses/error-data.js";

/** What the response to a request without a method depends on. */
export interface Unmatched {
  readonly observe?: Observe | undefined;
  /** The body of errors. Default: webrpc's envelope. */
  readonly errorBody?: ErrorBody | undefined;
  /** What the server knows about the contracts of its clients. */
  readonly skew?: Skew | undefined;
}

/** Responds to a path that no method has. */
export function answerUnknown(
  request: ServerRequest,
  unmatched: Unmatched = {},
): Promise<ServerResponse> {
  return refuse(request, unmatched, unknownRoute(request));
}

/** Responds to an HTTP method that a path does not accept. */
export function answerWrongVerb(
  request: ServerRequest,
  allow: string,
  unmatched: Unmatched,
): Promise<ServerResponse> {
  const path = pathOf(request.target);
  const cause = `${path} accepts ${allow}, not ${request.method}`;
  const refusal = new Refusal(builtInErrors.WebrpcBadMethod, cause);
  return refuse(request, unmatched, refusal, { allow });
}

/** Responds to a request that matches no method. */
export function refuse(
  request: ServerRequest,
  { errorBody, observe, skew }: Unmatched,
  refusal: Refusal,
  headers?: Readonly<Record<string, string>>,
): Promise<ServerResponse> {
  const finish = startObserving(observe, request, null);
  const told = skew?.explain(refusal, request, null) ?? refusal;
  const response = refusalResponse(told, headers, errorBody);
  finish?.(response, told, null);
  return Promise.resolve(response);
}
