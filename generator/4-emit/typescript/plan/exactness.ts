import type { Method } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type { ExactMethod, ObjectPlan, StructPlan, Value } from "./plan.js";
import { structIn } from "./values.js";

/** What a method, on either side, reads and writes without rounding. */
export function exactMethod(
  { route }: Method,
  request: ObjectPlan,
  response: ObjectPlan,
  { int64 }: EmitOptions,
): ExactMethod {
  const isBigint = int64 === "bigint" ? isWide : null;
  const isExact = (value: Value): boolean =>
    acceptsInteger(value) || isBigint?.(value) === true;
  return {
    requests: holds(request, isExact),
    // Nothing of the answer to a webhook is read.
    responses: route.kind !== "webhook" && holds(response, isBigint),
    // A GET has no body.
    writes: route.kind !== "rest" && holds(request, isBigint),
  };
}

function acceptsInteger(value: Value): boolean {
  return value.kind === "scalar" && value.acceptsInteger;
}

/** Whether the value is a 64-bit integer that a `number` may not hold. */
function isWide(value: Value): boolean {
  return (
    value.kind === "scalar" &&
    value.form.type === "bigint" &&
    value.form.writing === "bare"
  );
}

/** Whether something in a message is so. Input: null for a test that fails. */
function holds(
  message: ObjectPlan,
  isSo: ((value: Value) => boolean) | null,
): boolean {
  if (isSo === null) return false;
  const isWithin = (value: Value): boolean =>
    value.kind === "list" || value.kind === "map"
      ? isWithin(value.held)
      : isSo(value);
  const isAmong = ({ fields }: ObjectPlan): boolean =>
    fields.some(({ value }) => isWithin(value));
  return isAmong(message) || [...structsWithin([message])].some(isAmong);
}

/** Every struct that objects hold, directly or in others, each once. */
export function structsWithin(
  objects: readonly ObjectPlan[],
): ReadonlySet<StructPlan> {
  const found = new Set<StructPlan>();
  const add = ({ fields }: ObjectPlan): void => {
    for (const { type } of fields) {
      const struct = structIn(type);
      if (struct !== null) found.add(struct);
    }
  };
  objects.forEach(add);
  // Not by recursion: structs may hold one another at length. A set is walked in
  // the order of insertion, new members included.
  for (const struct of found) add(struct);
  return found;
}
