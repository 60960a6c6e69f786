import type { Contract, Message } from "../../ir/contract.js";
import { breaksCode, type Side } from "../facts/change.js";
import type { PlacedMethod } from "../facts/paired-contracts.js";
import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

const sides: readonly Side[] = ["request", "response"];

/** The wire stays as it is; the type of the message has another name. */
export const methodSameForm: BreakingRule = {
  code: "method-same-form",
  find: ({ methods, before: then, after: now }) => [
    ...sides.flatMap((side) =>
      methods.kept
        .filter(
          ({ before, after }) =>
            // Structs stay, or are gone for a rule of their own.
            before.method[side].struct === null &&
            after.method[side].struct !== null,
        )
        .map(({ before, after }) => ({
          effects: breaksCode,
          message: `the ${side} of ${nameOfMethod(after)} was ${describe(before.method[side])}, and is now ${describe(after.method[side])}`,
          before: before.subject,
          after: after.subject,
          help: "update the code that uses the generated types",
        })),
    ),
    ...methods.kept
      .filter(
        ({ before, after }) =>
          hasNamesake(before, then) !== hasNamesake(after, now),
      )
      .map(({ before, after }) => ({
        effects: breaksCode,
        message: `${hasNamesake(after, now) ? "another service has" : "no other service has"} a method \`${after.method.name}\` now, so the types of ${nameOfMethod(after)} were renamed`,
        before: before.subject,
        after: after.subject,
        help: "choose a name that no other method has",
      })),
  ],
};

function describe({ struct }: Message): string {
  return struct === null ? "a list of arguments" : `\`${struct}\``;
}

/** The service stands in front of the names of types that several methods have. */
function hasNamesake({ method }: PlacedMethod, { hosts }: Contract): boolean {
  const methods = hosts
    .flatMap(({ services }) => services)
    .flatMap((service) => service.methods);
  return methods.filter(({ name }) => name === method.name).length > 1;
}
