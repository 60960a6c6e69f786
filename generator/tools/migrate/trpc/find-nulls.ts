import type { ts } from "ts-morph";
import type { Migration } from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import { Unclear } from "../change/unclear.js";
import { lossesIn } from "./find-losses.js";
import { findMethod } from "./find-method.js";

/**
 * Returns a warning if outputs have optional fields that can be null, because
 * null is an absent field in RIDL. `creation` creates the client.
 */
export function findNulls(
  creation: ts.CallExpression,
  document: string,
  { host }: Base,
  { files }: Migration,
): Unclear | null {
  const found = files.flatMap(({ lookup, uses }) =>
    uses.calls.flatMap((call) => {
      const isOwn =
        call.document === document &&
        findMethod(host, document, call.address.path) !== null;
      if (!isOwn) return [];
      const promised = lookup.checker.getTypeAtLocation(call.node);
      const type = lookup.checker.getAwaitedType(promised) ?? promised;
      const { absentNull } = lossesIn(type, lookup);
      return absentNull === null
        ? []
        : [`\`${absentNull}\` of \`${call.address.path}\``];
    }),
  );
  const [first] = found;
  return first === undefined
    ? null
    : new Unclear(
        creation.expression,
        `null in optional fields, such as ${first}, becomes \`undefined\``,
        "compare these fields with `== null`, which is true for both",
      );
}
