/** What may stand in `use` of a client's options; each is loaded only if used. */
export type {
  ClientCall,
  ClientInterceptor,
  ClientNext,
} from "./client/call.js";
export { announceTimeout } from "./client/announce-timeout.js";
export {
  checkResponses,
  type ReportMisfit,
  type ResponseChecks,
} from "./client/check-responses.js";
export { type ContextKey, createKey } from "./context-key.js";
export {
  observe,
  type CallObserver,
  type CallOutcome,
} from "./client/observe-calls.js";
export {
  refreshCredentials,
  type RefreshOptions,
} from "./client/refresh-credentials.js";
export { retry, type RetryOptions } from "./client/retry.js";
