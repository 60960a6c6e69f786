import { WebrpcBadRouteError } from "../../wire/errors.js";

/** Decoded path parameters by name. */
export type Parameters = Readonly<Record<string, string>>;

/** The parameters of most methods. Sharing them avoids allocations. */
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze({});

/**
 * Reads the path parameters of a request.
 *
 * Errors: `WebrpcBadRoute` for invalid percent-encoding, and for `.` and `..`.
 */
export function readParameters(
  names: readonly string[],
  values: readonly string[],
): Parameters {
  if (names.length === 0) return noParameters;
  return Object.fromEntries(
    names.map((name, index) => [name, decodeSegment(values[index] ?? "")]),
  );
}

/**
 * Decodes a path segment.
 *
 * Errors: `WebrpcBadRoute` for invalid percent-encoding, and for `.` and `..`.
 */
export function decodeSegment(segment: string): string {
  const text = segment.includes("%") ? decode(segment) : segment;
  // Hosts and proxies that parse the URL remove these segments.
  if (text === "." || text === "..") {
    const cause = "a value in the path is only dots";
    throw new WebrpcBadRouteError({ cause });
  }
  return text;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Do not repeat the value, because it may be sensitive.
    const cause = "invalid percent-encoding in the path";
    throw new WebrpcBadRouteError({ cause });
  }
}
