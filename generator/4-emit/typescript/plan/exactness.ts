import type { Method } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type {
  ExactMethod,
  FieldValue,
  ObjectPlan,
  StructPlan,
  Value,
} from "./plan.js";
import { structIn } from "./values.js";

/** The fields of a struct or message. */
export type FieldsOf = (object: ObjectPlan) => readonly FieldValue[];

/** What a method, on either side, reads and writes without rounding. */
export function exactMethod(
  { route }: Method,
  request: readonly FieldValue[],
  response: readonly FieldValue[],
  fieldsOf: FieldsOf,
  { int64 }: EmitOptions,
): ExactMethod {
  const isBigint = int64 === "bigint" ? isWide : () => false;
  const isExact = (value: Value): boolean =>
    acceptsInteger(value) || isBigint(value);
  return {
    requests: holds(request, fieldsOf, isExact),
    // Nothing of the answer to a webhook is read.
    responses: route.kind !== "webhook" && holds(response, fieldsOf, isBigint),
    // A GET has no body.
    writes: route.kind !== "rest" && holds(request, fieldsOf, isBigint),
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

/** Whether something in a message is so. */
function holds(
  fields: readonly FieldValue[],
  fieldsOf: FieldsOf,
  isSo: (value: Value) => boolean,
): boolean {
  const isWithin = (value: Value): boolean =>
    isSo(value) ||
    (value.kind === "list" && isWithin(value.element)) ||
    (value.kind === "map" && isWithin(value.value));
  const isAmong = (list: readonly FieldValue[]): boolean =>
    list.some(({ value }) => isWithin(value));
  if (isAmong(fields)) return true;
  for (const struct of structsWithin(fields, fieldsOf)) {
    if (isAmong(fieldsOf(struct))) return true;
  }
  return false;
}

/** Every struct that fields hold, directly or in others, each once. */
export function* structsWithin(
  fields: readonly FieldValue[],
  fieldsOf: FieldsOf,
): Generator<StructPlan, void> {
  const seen = new Set<StructPlan>();
  const add = (list: readonly FieldValue[]): void => {
    for (const { type } of list) {
      const struct = structIn(type);
      if (struct !== null) seen.add(struct);
    }
  };
  add(fields);
  // Not by recursion: structs may hold one another at length. A set is walked in
  // the order of insertion, new members included.
  for (const struct of seen) {
    yield struct;
    add(fieldsOf(struct));
  }
}
