import type { Host } from "../../ir/contract.js";
import type { Effects } from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import type { Pair } from "../facts/pairing.js";
import { haveSamePlaces, parametersOf } from "../facts/path-shape.js";
import type { BreakingRule } from "../facts/rule.js";

/** Every address of the host has its base path at the front. */
export const basepathSame: BreakingRule = {
  code: "basepath-same",
  find: ({ hosts, methods }) =>
    hosts.kept
      .filter(
        ({ before, after }) => before.basePath.text !== after.basePath.text,
      )
      .map((pair) => ({
        effects: effectsOf(
          pair,
          methods.kept.map(({ after }) => after),
        ),
        message: `the base path of \`${pair.after.name}\` was \`${pair.before.basePath.text}\`, and is now \`${pair.after.basePath.text}\``,
        before: { kind: "host", host: pair.before.name },
        after: { kind: "host", host: pair.after.name },
        help: "serve both paths until no client calls the old one",
      })),
};

/** Names of parameters are in code; what clients see is where they stand. */
function effectsOf(
  { before, after }: Pair<Host>,
  kept: readonly PlacedMethod[],
): Effects {
  const isMoved =
    hasCalls(after, kept) && !haveSamePlaces(before.basePath, after.basePath);
  const then = parametersOf(before.basePath);
  const now = parametersOf(after.basePath);
  const isNeeded = now.some((name) => !then.includes(name));
  const isGone = then.some((name) => !now.includes(name));
  return {
    ...(isMoved && { wire: "error", "wire-strict": "error" }),
    ...(isNeeded && { "client-source": "error" }),
    ...(isGone && { "server-source": "error" }),
  };
}

/** REST reads and webhooks have addresses of their own. */
function hasCalls({ name }: Host, kept: readonly PlacedMethod[]): boolean {
  return kept.some(
    ({ method, subject }) =>
      subject.host === name && method.route.kind === "rpc",
  );
}
