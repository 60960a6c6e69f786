import { WebrpcBadRouteError } from "../../wire/errors.js";

/** Decoded path parameters by name. */
export type Parameters = Readonly<Record<string, string>>;

/** What most methods have, shared so that nothing is made for them. */
export const noParameters: Parameters = /* @__PURE__ */ Object.freeze({});

/**
 * The path parameters of a request.
 *
 * Errors: `WebrpcBadRoute` for broken percent-encoding.
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
 * A path segment without its percent-encoding.
 *
 * Errors: `WebrpcBadRoute` when that is broken.
 */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Do not repeat the value, which may be sensitive.
    const cause = "broken percent-encoding in the path";
    throw new WebrpcBadRouteError({ cause });
  }
}
