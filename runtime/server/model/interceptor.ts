import type { RequestContext } from "./context.js";
import type { Handler } from "./server-method.js";

/** A call on its way to its handler: credentials and message are checked. */
export interface ServerCall<State = undefined> {
  /** The request message as the handler gets it. */
  readonly request: unknown;
  /** Names the service and the method, among others. */
  readonly context: RequestContext<State>;
}

/** Goes on with a call; gives what the handler answers, in its form. */
export type Next<State = undefined> = (
  call: ServerCall<State>,
) => Promise<unknown>;

/**
 * Stands around the handlers of a server, as one layer of an onion. It is given
 * what is inside it once for each method, when the server is made.
 *
 * Example: `(next) => async (call) => { log(call.context.method); return
 * next(call); }`. It may answer itself, call `next` again, or throw an RpcError.
 */
export type Interceptor<State = undefined> = (next: Next<State>) => Next<State>;

/** The handler with interceptors around it; the first is the outermost. */
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
