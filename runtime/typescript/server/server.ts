import { toFetch } from "./fetch.js";
import { changeRequest, type RpcServer } from "./model/exchange.js";
import { withHead } from "./model/head.js";
import { pathOf } from "./model/route.js";
import { answerUnknown } from "./unmatched.js";

export type { BasicLogin } from "../wire/basic.js";
export { changeRequest } from "./model/exchange.js";
export type { CorsOptions } from "./model/cors.js";
export type {
  RequestContext,
  RequestFacts,
  RequestStep,
} from "./model/context.js";
export { type ContextKey, createKey } from "../values/context-key.js";
export type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
export type {
  Idempotency,
  KeyedAnswer,
  KeyedRequest,
} from "./model/idempotency.js";
export type { Interceptor, Next, ServerCall } from "./model/interceptor.js";
export type { Observe, Outcome } from "./model/observation.js";
export type {
  CredentialRule,
  ErrorBody,
  ErrorData,
  FormBody,
  FormScalar,
  FormStruct,
  FormUnion,
  FormValue,
  FormVariant,
  ServerMethod,
  RestRoute,
  ServerRoute,
  Verify,
} from "./model/server-method.js";
export type {
  CallerContext,
  ErrorInfo,
  MethodOptions,
  ResponseValidation,
  ServerOptions,
} from "./model/server-options.js";

/**
 * Combines servers into one. The first one with a matching path responds.
 *
 * Errors: none. For an unknown path, the first server returns 404
 * `WebrpcBadRoute`. Its `observe` does not get the query, which may contain
 * credentials of another server.
 */
export function composeServers(...servers: readonly RpcServer[]): RpcServer {
  const find = (target: string): RpcServer | undefined =>
    servers.find((server) => server.matches(target));
  const [first = { handle: answerUnknown }] = servers;
  const handle = withHead((request) => {
    const { target } = request;
    // Only its own server can take the credentials out of a query.
    return (
      find(target)?.handle(request) ??
      first.handle(changeRequest(request, { target: pathOf(target) }))
    );
  });
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}
