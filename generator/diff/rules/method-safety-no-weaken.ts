import type { Method } from "../../ir/contract.js";
import { nameOfMethod } from "../names.js";
import type { BreakingRule } from "../rule.js";

const order: readonly Method["safety"][] = ["none", "idempotent", "readonly"];

/** Old clients go on to repeat it, or to call it by GET. */
export const methodSafetyNoWeaken: BreakingRule = {
  code: "method-safety-no-weaken",
  find: ({ methods }) =>
    methods.kept
      .filter(({ before, after }) => rank(after.method) < rank(before.method))
      .map(({ before, after }) => ({
        effects: { wire: "error", "wire-strict": "danger" },
        message: `${nameOfMethod(after)} is no longer \`@${before.method.safety}\``,
        before: before.subject,
        after: after.subject,
        help: "clients repeat such calls on their own: let it stay true, or add another method",
      })),
};

function rank({ safety }: Method): number {
  return order.indexOf(safety);
}
