import type { Message } from "../../ir/contract.js";
import type { Side } from "../facts/change.js";
import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

const sides: readonly Side[] = ["request", "response"];

/** A single file makes a form of a request, even if it may be left out. */
export const methodSameContent: BreakingRule = {
  code: "method-same-content",
  find: ({ methods }) =>
    sides.flatMap((side) =>
      methods.kept
        .filter(
          ({ before, after }) =>
            hasFiles(before.method[side]) !== hasFiles(after.method[side]),
        )
        .map(({ before, after }) => ({
          effects: { wire: "error", "wire-strict": "error" },
          message: `the ${side} of ${nameOfMethod(after)} was ${describe(before.method[side], side)}, and is now ${describe(after.method[side], side)}`,
          before: before.subject,
          after: after.subject,
          help: "add a method for the new form, and keep this one",
        })),
    ),
};

/** Files are fields of a message, or lists that are. */
function hasFiles({ fields }: Message): boolean {
  return fields.some(({ type }) => {
    const inner = type.kind === "list" ? type.element : type;
    return inner.kind === "scalar" && inner.name === "file";
  });
}

function describe(message: Message, side: Side): string {
  if (!hasFiles(message)) return "JSON";
  return side === "request" ? "a form with files" : "a file";
}
