/** Returns its argument. */
export function same<Value>(value: Value): Value {
  return value;
}
