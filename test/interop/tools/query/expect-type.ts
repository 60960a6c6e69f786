import type { CallError } from "@ridlkit/runtime/client";
import type { GetOrderError } from "../.work/query/react/errors.js";

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2
    ? true
    : false;

/** Compiles only if the value has exactly the expected type. */
export function expectType<Expected>() {
  return <Value>(
    _value: Value,
    ..._: Same<Value, Expected> extends true ? [] : [never]
  ): void => {};
}

/** The errors of a call to `GetOrder`. */
export type Failure = CallError<GetOrderError>;
