import type { Method } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type {
  ExactMethod,
  FieldValue,
  ObjectPlan,
  StructPlan,
  TypePlan,
  Value,
} from "./plan.js";
import { structIn } from "./struct-in.js";

/** Whether a value is exact; null if no value of a contract is. */
type ExactTest = ((value: Value) => boolean) | null;

/** Which values of a contract are read and written without rounding. */
export interface ExactTests {
  readonly isRead: ExactTest;
  readonly isWritten: ExactTest;
}

/** Decides which values of a contract are read and written without rounding. */
export function exactTests(
  types: Iterable<TypePlan>,
  { int64 }: EmitOptions,
): ExactTests {
  const isBigint = int64 === "bigint" ? isWide : null;
  // Texts that may be numbers are aliases.
  const hasText = [...types].some(
    (type) => type.kind === "alias" && acceptsInteger(type.value),
  );
  const isExact = (value: Value): boolean =>
    acceptsInteger(value) || isBigint?.(value) === true;
  return { isRead: hasText ? isExact : isBigint, isWritten: isBigint };
}

/** What a method, on either side, reads and writes without rounding. */
export function exactMethod(
  { route }: Method,
  { fields: request }: ObjectPlan,
  { fields: response }: ObjectPlan,
  { isRead, isWritten }: ExactTests,
): ExactMethod {
  return {
    requests: holds(request, isRead),
    // Nothing of the answer to a webhook is read.
    responses: route.kind !== "webhook" && holds(response, isWritten),
    // A GET has no body.
    writes: route.kind !== "rest" && holds(request, isWritten),
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
function holds(fields: readonly FieldValue[], isSo: ExactTest): boolean {
  if (isSo === null) return false;
  const isWithin = (value: Value): boolean =>
    isSo(value) ||
    (value.kind === "list" && isWithin(value.element)) ||
    (value.kind === "map" && isWithin(value.value));
  const isAmong = (list: readonly FieldValue[]): boolean =>
    list.some(({ value }) => isWithin(value));
  if (isAmong(fields)) return true;
  for (const struct of structsWithin(fields)) {
    if (isAmong(struct.fields)) return true;
  }
  return false;
}

/** Every struct that fields hold, directly or in others, each once. */
export function* structsWithin(
  fields: readonly FieldValue[],
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
    add(struct.fields);
  }
}
