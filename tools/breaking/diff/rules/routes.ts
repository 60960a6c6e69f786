import { nameOf } from "../facts/names.js";
import { type BreakingRules, keptMethod } from "../facts/rule.js";
import { findShadows, pathOf } from "../facts/shared-paths.js";

/** Rules about paths that match the same calls. */
export const routeRules = {
  // A literal in a path takes precedence over a parameter with the same value,
  // and so does a parameter with more text around it.
  "route-no-shadow": keptMethod(({ before, after }, contracts) => {
    const { modes } = contracts;
    const then = findShadows(before, contracts.before, modes.before);
    const now = findShadows(after, contracts.after, modes.after);
    const [come] = now.filter((path) => !then.includes(path));
    const [gone] = then.filter((path) => !now.includes(path));
    const shadow = come ?? gone;
    if (shadow === undefined || pathOf(before.method) !== pathOf(after.method))
      return false;
    return {
      effects: { wire: "error", "wire-strict": "error" },
      message: `\`${shadow}\` ${come === undefined ? "no longer receives" : "receives"} some calls to ${nameOf(after.subject)} at \`${pathOf(after.method)}\``,
      help: "choose a path that no parameter value can match",
    };
  }),
} satisfies BreakingRules;
