import type { ClientCall, ClientInterceptor } from "./call.js";
import { same } from "../values/same.js";
import { createTransportError } from "./transport-error.js";
import {
  type Check,
  type Failure,
  printFailures,
  validate,
} from "../values/validation.js";

/**
 * Response checks as generated for each host. The keys are the paths of methods,
 * after the verb for REST methods other than GET, e.g. `PUT /orders/{id}`.
 */
export type ResponseChecks = Readonly<Record<string, Check>>;

/** Called for a response that violates the contract. */
export type ReportViolation = (
  failures: readonly Failure[],
  call: ClientCall,
) => void;

/**
 * Validates the responses of a server that may violate the contract. Items of
 * streams are not validated.
 *
 * Input: `checks` come from the generated `validators.ts`, e.g.
 * `apiResponseChecks`, or for several hosts `{ ...apiResponseChecks,
 * ...indexerResponseChecks }`. `onViolation` is `throw`, or a function that is
 * called before the response is passed on.
 * Errors: with `throw`, TransportError `bad-response`, whose `cause` describes
 * the violations. Otherwise, any error from the function.
 */
export function checkResponses(
  checks: ResponseChecks,
  onViolation: "throw" | ReportViolation,
): ClientInterceptor {
  return (next) => async (call) => {
    const { method } = call;
    const { path, verb = "GET" } = method;
    const key = verb === "GET" ? path : `${verb} ${path}`;
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined || call.isStream) return next(call);
    let failures: readonly Failure[] = [];
    const decode = (message: unknown): unknown => {
      failures = validate(check, message, { dropsNulls: true });
      return (method.decode ?? same)(message);
    };
    try {
      return await next({ ...call, method: { ...method, decode } });
    } finally {
      // Report the failures even if the response could not be decoded. The
      // function may be async, and its rejection must not be lost.
      if (failures.length > 0) await report(onViolation, failures, call);
    }
  };
}

function report(
  onViolation: "throw" | ReportViolation,
  failures: readonly Failure[],
  call: ClientCall,
): void {
  if (onViolation !== "throw") return onViolation(failures, call);
  const cause = printFailures(failures);
  throw createTransportError("bad-response", { cause }, 200);
}
