import type { Method } from "../../generator/ir/contract.js";
import {
  sharedRequests,
  takesPrecedence,
} from "../../generator/http/match-addresses.js";
import type { WireAddress } from "../../generator/http/wire-method.js";
import { wireOf } from "../../generator/http/wire-of.js";
import type { PathTemplate } from "../../generator/ir/path-template.js";
import type { DrawnRequest } from "./drawn-request.js";
import type { TestedMethod } from "./tested-method.js";

/** What decides which requests can be sent. */
export interface Permission {
  /** Whether requests may change data. */
  readonly writes: boolean;
  /**
   * The methods of all hosts, which can share an address. They include those that
   * a filter excludes.
   */
  readonly methods: readonly Method[];
}

/**
 * Whether a request of a method can be sent. It must not reach another method.
 * Without `writes`, this includes methods that the contract does not have, but
 * the server may.
 */
export function maySend(
  { path, verb }: Pick<DrawnRequest, "path" | "verb">,
  { method: { method } }: TestedMethod,
  { methods, writes }: Permission,
): boolean {
  const template = toTemplate(path);
  const reaches = (address: WireAddress | null): address is WireAddress =>
    address?.verb === verb &&
    sharedRequests(address, { template, verb: address.verb }) !== null;
  const { address } = wireOf(method);
  const isOwn = reaches(address);
  // Many frameworks decode a path before they split it.
  const isRead = verb === "GET" || (isOwn && !/%2f/iu.test(template.text));
  if (!writes && !isRead && method.route.kind !== "rpc") return false;
  return methods.every((other) => {
    const { address: rival } = wireOf(other);
    if (!reaches(rival)) return true;
    if (rival.key === address?.key)
      return writes || other.safety === "readonly";
    return isOwn && takesPrecedence(address, rival);
  });
}

/** Returns the path of a request without its query, as literal segments. */
function toTemplate(path: string): PathTemplate {
  const [text = ""] = path.split("?");
  const segments = text
    .slice(1)
    .split("/")
    .map((segment) => ({ kind: "literal" as const, text: decode(segment) }));
  return { text, segments };
}

/** Decodes a segment, unless its bytes are no text, as in a base path `/%ff`. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
