import type { Method } from "../../../ir/contract.js";
import type { WireBody } from "../../../http/wire-method.js";
import { wireOf } from "../../../http/wire-of.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type {
  Composite,
  ErrorDataPlan,
  ExactMethod,
  ObjectPlan,
  StructPlan,
  UnionPlan,
  Value,
} from "./plan.js";
import { compositeIn, valuesIn } from "./values.js";

/** Decides what clients and servers read or write as `bigint` in a method. */
export function exactMethod(
  method: Method,
  request: ObjectPlan,
  response: ObjectPlan,
  errorData: readonly Pick<ErrorDataPlan, "isExact">[],
  { int64 }: EmitOptions,
): ExactMethod {
  const { isStream } = method.response;
  const { body } = wireOf(method).request;
  const isBigint = int64 === "bigint" ? isWide : null;
  // A line of a stream can be an error.
  const hasExactError = isStream && errorData.some(({ isExact }) => isExact);
  const isExact = (value: Value): boolean =>
    acceptsInteger(value) || isBigint?.(value) === true;
  return {
    requests: someValue(request, isExact),
    // The response to a webhook is not read.
    responses:
      hasExactError ||
      (method.route.kind !== "webhook" && someValue(response, isBigint)),
    // An address and a form are text.
    writes: !isText(body) && someValue(request, isBigint),
  };
}

/** Whether a request contains no JSON. */
function isText({ content, kind }: WireBody): boolean {
  return kind === "none" || content.kind !== "json";
}

function acceptsInteger(value: Value): boolean {
  return value.kind === "scalar" && value.resolved.acceptsInteger;
}

/** Whether clients must read an object without rounding. */
export function isExactObject(
  object: ObjectPlan,
  { int64 }: EmitOptions,
): boolean {
  return someValue(object, int64 === "bigint" ? isWide : null);
}

/**
 * Whether a value can be or contain a 64-bit integer that a `number` might not
 * represent. An unknown variant of an open union can contain anything.
 */
function isWide(value: Value): boolean {
  if (value.kind === "union") return value.type.union.isOpen;
  return (
    value.kind === "scalar" &&
    value.form.type === "bigint" &&
    value.form.writing === "bare"
  );
}

/** Whether any value in a message satisfies a test. A null test never holds. */
function someValue(
  message: ObjectPlan,
  isSo: ((value: Value) => boolean) | null,
): boolean {
  if (isSo === null) return false;
  const isWithin = (value: Value): boolean => {
    switch (value.kind) {
      case "list":
      case "map":
        return isWithin(value.held);
      case "scalar":
      case "bytes":
      case "enum":
      case "struct":
      case "union":
        return isSo(value);
    }
  };
  const isAmong = (composite: Composite): boolean =>
    valuesIn(composite).some(isWithin);
  return isAmong(message) || [...compositesWithin([message])].some(isAmong);
}

/**
 * Returns every struct and union that objects contain, directly or indirectly.
 */
export function compositesWithin(
  objects: readonly Composite[],
): ReadonlySet<StructPlan | UnionPlan> {
  const found = new Set<StructPlan | UnionPlan>();
  const add = (composite: Composite): void => {
    for (const value of valuesIn(composite)) {
      const held = compositeIn(value);
      if (held !== null) found.add(held);
    }
  };
  objects.forEach(add);
  // Uses a loop, because nesting can be too deep for recursion. A loop over a
  // set also visits members that are added to it.
  for (const composite of found) add(composite);
  return found;
}
