import {
  changeRequest,
  type Handle,
  type ServerRequest,
} from "../model/exchange.js";
import { decodePart } from "./decode-part.js";
import { splitPair } from "./query.js";

/**
 * Takes credentials out of the targets of requests. A verifier gets them as
 * headers named `?` and their names. Nothing that reads the query or prints the
 * target sees them.
 *
 * Input: the names of the credentials in a query.
 */
export function hideCredentials(
  names: ReadonlySet<string>,
  handle: Handle,
): Handle {
  return (request) => handle(withoutCredentials(names, request));
}

function withoutCredentials(
  names: ReadonlySet<string>,
  request: ServerRequest,
): ServerRequest {
  const values = new Map<string, string>();
  const target = hide(names, request.target, values);
  return changeRequest(request, {
    target,
    header: (name) =>
      name.startsWith("?") ? (values.get(name) ?? null) : request.header(name),
  });
}

/**
 * Returns a target without credentials, and adds them to `values`. The value of
 * one that is given several times, or is not UTF-8, is empty.
 */
function hide(
  names: ReadonlySet<string>,
  target: string,
  values: Map<string, string>,
): string {
  const at = target.indexOf("?");
  if (at === -1) return target;
  const [query = ""] = target.slice(at + 1).split("#");
  const kept = query.split("&").filter((pair) => {
    const [name, value] = splitPair(pair).map(decodePart);
    if (name === undefined || name === null || !names.has(name)) return true;
    const key = `?${name}`;
    values.set(key, values.has(key) ? "" : (value ?? ""));
    return false;
  });
  return target.slice(0, at) + (kept.length === 0 ? "" : `?${kept.join("&")}`);
}
