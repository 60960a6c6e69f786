import { errorsOf } from "../../generator/ir/errors-of.js";
import type { Envelope } from "./envelope.js";
import type { ReceivedResponse } from "./send.js";
import type { TestedMethod } from "./tested-method.js";

/** A request that the contract may not allow. */
interface Asked {
  readonly tested: TestedMethod;
  /** The name of the check. */
  readonly check: string;
  /** The reference's refusal, or null if the request reaches the handler. */
  readonly refusal: Envelope | null;
}

/**
 * Whether a server may refuse requests in its own way: with any suitable status,
 * and a body for all errors. Such a contract describes what a framework does.
 */
export function hasOwnRefusals({ host, method }: TestedMethod): boolean {
  return host.errorBody !== null && method.method.route.kind === "rest";
}

/**
 * Whether a response refuses a request in the server's own way. The body can be
 * anything if the contract does not contain the path and the HTTP method.
 */
export function ownRefusalOf(
  { check, refusal, tested }: Asked,
  { status }: ReceivedResponse,
): "any-body" | "error-body" | null {
  if (refusal === null || !hasOwnRefusals(tested)) return null;
  if (check === "credentials") {
    const isSuitable = [401, 403, refusal.status].includes(status);
    return isSuitable ? "error-body" : null;
  }
  if (status < 400 || status >= 500) return null;
  // Routers know no credentials, but guards in front of them do.
  if (check === "routes and verbs") return "any-body";
  return aboutCaller(tested).includes(status) ? null : "error-body";
}

/**
 * Lists the statuses that refuse the caller and not the message. If a method
 * declares 403, it can depend on the message, such as on the owner of an ID.
 */
function aboutCaller({
  contract,
  host,
  method: { credentials, method },
}: TestedMethod): readonly number[] {
  const ofCaller = new Set(credentials.map(({ error }) => error));
  const names = errorsOf(host.host, method).filter(
    (name) => !ofCaller.has(name),
  );
  const isDeclared = contract.errors.some(
    ({ name, status }) => status === 403 && names.includes(name),
  );
  return isDeclared ? [401] : [401, 403];
}

/** Describes the statuses with which a server may refuse a request. */
export function describeOwnRefusal({ check, refusal, tested }: Asked): string {
  if (check === "routes and verbs") return "a status of 400 to 499";
  if (check !== "credentials") {
    const others = aboutCaller(tested).join(" and ");
    return `a status of 400 to 499 other than ${others}`;
  }
  const statuses = new Set([401, 403, refusal?.status ?? 401]);
  return `status ${[...statuses].join(" or ")}`;
}
