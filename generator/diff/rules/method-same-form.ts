import type { Message } from "../../ir/contract.js";
import type { Side } from "../change.js";
import { nameOfMethod } from "../names.js";
import type { BreakingRule } from "../rule.js";

const sides: readonly Side[] = ["request", "response"];

/** The wire stays as it is; the type of the message has another name. */
export const methodSameForm: BreakingRule = {
  code: "method-same-form",
  find: ({ methods }) =>
    sides.flatMap((side) =>
      methods.kept
        .filter(
          ({ before, after }) =>
            before.method[side].struct !== after.method[side].struct,
        )
        .map(({ before, after }) => ({
          effects: { "client-source": "error", "server-source": "error" },
          message: `the ${side} of ${nameOfMethod(after)} was ${describe(before.method[side])}, and is ${describe(after.method[side])}`,
          before: before.subject,
          after: after.subject,
          help: "generated types follow these names: code that uses them has to be changed",
        })),
    ),
};

function describe({ struct }: Message): string {
  return struct === null ? "a list of arguments" : `\`${struct}\``;
}
