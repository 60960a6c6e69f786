import type {
  Contract,
  Credential,
  Host,
  Method,
} from "../../../generator/ir/contract.js";
import { credentialsOf } from "../../../generator/ir/credentials-of.js";
import { methodsOf } from "../../../generator/ir/methods-of.js";
import { isFileField } from "../../../generator/http/request.js";
import { fieldsAt } from "../../../generator/http/slots.js";
import type {
  WireBody,
  WireRequest,
} from "../../../generator/http/wire-method.js";
import { wireOf } from "../../../generator/http/wire-of.js";
import { byPlace } from "../../../generator/http/credentials.js";

/** Returns the methods to which clients send the contract, e.g. `Shop.GetBook`. */
export function announcedIn(
  { services }: Host,
  contract: Contract,
): ReadonlySet<string> {
  const methods = methodsOf(services).filter((method) =>
    isAnnounced(method, credentialsOf(method, contract)),
  );
  return new Set(methods.map(({ name, service }) => `${service}.${name}`));
}

/**
 * Whether clients say with which contract they call a method. They do not if
 * browsers would then have to ask other origins for permission before the call:
 * before a read or a form without other headers that need permission.
 *
 * Input: the method and its credentials.
 */
export function isAnnounced(
  method: Method,
  credentials: readonly Pick<Credential, "place">[],
): boolean {
  const { alternatives, idempotencyKey, request, route } = method;
  switch (route.kind) {
    case "webhook":
      return false;
    case "rpc":
      return !request.fields.some(isFileField);
    case "rest":
      return (
        !["GET", "POST"].includes(wireOf(method).address?.verb ?? "GET") ||
        idempotencyKey === "required" ||
        (alternatives.length === 0 &&
          credentials.some((each) => byPlace(each, announcing))) ||
        needsPermission(wireOf(method).request) ||
        hasJson(wireOf(method).request.body)
      );
  }
}

/** The places of credentials for which browsers ask. */
const announcing = { header: true, query: false, cookie: false };

/** Whether each request has a header with a field for which browsers ask. */
function needsPermission(request: WireRequest): boolean {
  const headers = fieldsAt(request, "header");
  return headers.some(
    ({ field, name }) => !field.isOptional && !isSafelisted(name),
  );
}

/** Whether pages may send a header to other origins without permission. */
function isSafelisted(header: string): boolean {
  return safelisted.has(header.toLowerCase());
}

/** `Content-Type` and `Range` only count with some values. */
const safelisted: ReadonlySet<string> = new Set([
  ...["accept", "accept-language", "content-language", "content-type", "range"],
]);

/** Whether each request has a JSON body. */
function hasJson({ content, hasParts, kind, whole }: WireBody): boolean {
  if (content.kind !== "json" || hasParts) return false;
  return whole === null ? kind === "object" : !whole.isOptional;
}
