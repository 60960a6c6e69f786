/** What it is given. */
export function same<Value>(value: Value): Value {
  return value;
}
