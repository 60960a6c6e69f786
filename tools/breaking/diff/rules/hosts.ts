import { codeOf } from "../../../../generator/diagnostics/names.js";
import type { Host } from "../../../../generator/ir/contract.js";
import { breaksCode, type Effects } from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import type { Pair } from "../facts/pairing.js";
import { pathParameters } from "../../../../generator/ir/path-template.js";
import { haveSamePlaces } from "../../../../generator/http/match-addresses.js";
import { type BreakingRules, rulesAboutKept } from "../facts/rule.js";

const keptHost = rulesAboutKept(
  ({ hosts }) => hosts.kept,
  ({ name }) => ({ kind: "host", host: name }),
);

/** Rules about service hosts. */
export const hostRules = {
  "host-same-name": keptHost(
    ({ before, after }) =>
      before.name !== after.name && {
        effects: breaksCode,
        message: `host ${codeOf(before.name)} was renamed to ${codeOf(after.name)}`,
        help: "keep its name: generated functions are named after it",
      },
  ),
  "basepath-same": keptHost(
    (pair, { methods }) =>
      pair.before.basePath.text !== pair.after.basePath.text && {
        effects: effectsOf(
          pair,
          methods.kept.map(({ after }) => after),
        ),
        message: `the base path of ${codeOf(pair.after.name)} was ${codeOf(pair.before.basePath.text)} and is now ${codeOf(pair.after.basePath.text)}`,
        help: "serve both paths until no client calls the old one",
      },
  ),
} satisfies BreakingRules;

/**
 * Returns the effects of a new base path. Parameter names do not appear on the
 * wire.
 */
function effectsOf(
  { before, after }: Pair<Host>,
  kept: readonly PlacedMethod[],
): Effects {
  const isMoved =
    hasCalls(after, kept) && !haveSamePlaces(before.basePath, after.basePath);
  const then = pathParameters(before.basePath);
  const now = pathParameters(after.basePath);
  const isNeeded = now.some((name) => !then.includes(name));
  const isGone = then.some((name) => !now.includes(name));
  return {
    ...(isMoved && { wire: "error", "wire-strict": "error" }),
    ...(isNeeded && { "client-source": "error" }),
    ...(isGone && { "server-source": "error" }),
  };
}

/** Whether a host has methods that use the base path, i.e. RPC methods. */
function hasCalls({ name }: Host, kept: readonly PlacedMethod[]): boolean {
  return kept.some(
    ({ method, subject }) =>
      subject.host === name && method.route.kind === "rpc",
  );
}
