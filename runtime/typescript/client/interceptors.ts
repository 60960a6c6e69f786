/**
 * Interceptors for the `use` option of clients. Bundles include only those in
 * use.
 */
export type { ClientCall, ClientInterceptor, ClientNext } from "./call.js";
export { announceTimeout } from "./announce-timeout.js";
export {
  checkResponses,
  type ReportViolation,
  type ResponseChecks,
} from "./check-responses.js";
export { limitResponses, type ResponseLimits } from "./limit-responses.js";
export { type ContextKey, createKey } from "../values/context-key.js";
export {
  observe,
  type CallObserver,
  type CallOutcome,
} from "./observe-calls.js";
export { onSkew, type ContractSkew } from "./on-skew.js";
export {
  refreshCredentials,
  type RefreshOptions,
} from "./refresh-credentials.js";
export { retry, type RetryOptions } from "./retry.js";
