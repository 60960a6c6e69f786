import { toFetch } from "./fetch.js";
import type { RpcServer } from "./model/exchange.js";
import { withHead } from "./model/head.js";
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
 * `WebrpcBadRoute`.
 */
export function composeServers(...servers: readonly RpcServer[]): RpcServer {
  const find = (target: string): RpcServer | undefined =>
    servers.find((server) => server.matches(target));
  const handle = withHead(
    (request) =>
      (find(request.target) ?? servers[0])?.handle(request) ??
      answerUnknown(request),
  );
  const matches = (target: string): boolean => find(target) !== undefined;
  return { fetch: toFetch(handle), handle, matches };
}
