import { shapeOf } from "../path-shape.js";
import type { BreakingRule } from "../rule.js";

/** Every address of the host has its base path at the front. */
export const basepathSame: BreakingRule = {
  code: "basepath-same",
  find: ({ hosts }) =>
    hosts.kept
      .filter(
        ({ before, after }) =>
          shapeOf(before.basePath) !== shapeOf(after.basePath),
      )
      .map(({ before, after }) => ({
        effects: { wire: "error", "wire-strict": "error" },
        message: `every method of \`${after.name}\` moves from \`${before.basePath.text}\` to \`${after.basePath.text}\``,
        before: { kind: "host", host: before.name },
        after: { kind: "host", host: after.name },
        help: "serve both paths until no client calls the old one",
      })),
};
