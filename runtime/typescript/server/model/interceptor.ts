import type { RequestContext } from "./context.js";
import type { Handler } from "./server-method.js";

/** A call with valid credentials and a valid request. */
export interface ServerCall<State = undefined> {
  /** The request as the handler receives it. */
  readonly request: unknown;
  /** The context, which names the service and the method. */
  readonly context: RequestContext<State>;
}

/** Continues a call and returns the handler's response. */
export type Next<State = undefined> = (
  call: ServerCall<State>,
) => Promise<unknown>;

/**
 * Wraps the handlers of a server. The interceptor is called once for each
 * method when the server is created. The returned function can return a
 * response itself, call `next` several times, or throw an RpcError.
 *
 * Example: `(next) => async (call) => { log(call.context.method); return
 * next(call); }`.
 */
export type Interceptor<State = undefined> = (next: Next<State>) => Next<State>;

/** Wraps a handler with interceptors. The first is the outermost. */
export function intercept<State>(
  interceptors: readonly Interceptor<State>[],
  handler: Handler<State>,
): Handler<State> {
  if (interceptors.length === 0) return handler;
  const innermost: Next<State> = async ({ request, context }) =>
    handler(request, context);
  const outermost = interceptors.reduceRight(
    (next, interceptor) => interceptor(next),
    innermost,
  );
  return (request, context) => outermost({ request, context });
}
