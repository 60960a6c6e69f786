import { memberOf } from "../../values/member.js";
import { keyOfMethod } from "./limits.js";
import type { ServerMethod } from "./server-method.js";
import type { ServerOptions } from "./server-options.js";

/**
 * Rejects misspelled names of methods in the options, because they would leave
 * methods without limits. The receiver of one event can share its options with
 * those of the service's other events, so `createReceiver` checks them.
 *
 * Errors: `TypeError`.
 */
export function assertMethodsKnown<State>(
  options: ServerOptions<State>,
  methods: readonly ServerMethod[],
): void {
  if (methods.some(isAnyEvent)) return;
  const known = new Set(methods.map(keyOfMethod));
  for (const key of Object.keys(options.methods ?? {})) {
    if (known.has(key)) continue;
    throw new TypeError(
      `server option \`methods\` names the unknown method ${key}`,
    );
  }
}

function isAnyEvent({ route }: ServerMethod): boolean {
  return route.kind === "webhook" && route.isAnyEvent === true;
}

/** Options about web pages and caches, which do not send webhooks. */
const unusedByReceivers = ["cors", "cacheControl", "readsByGet"];

/**
 * Rejects options that have no effect on a receiver of webhooks.
 *
 * Errors: `TypeError`.
 */
export function assertReceiverOptions<State>(
  options: ServerOptions<State>,
): void {
  const all: [prefix: string, own: unknown][] = [
    ["", options],
    ...Object.entries(options.methods ?? {}).map(
      ([key, own]): [string, unknown] => [`methods["${key}"].`, own],
    ),
  ];
  for (const [prefix, own] of all) {
    for (const name of unusedByReceivers) {
      if (memberOf(own, name) === undefined) continue;
      throw new TypeError(
        `receiver option ${prefix}${name} has no effect; remove it`,
      );
    }
  }
}
