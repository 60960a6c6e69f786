import type { Constraints } from "../../../ir/contract.js";
import { textTest } from "../../../ir/limits.js";
import { scalars } from "../../../ir/scalars.js";
import type { ScalarValue } from "../plan/plan.js";
import { quoteNumber, quoteString } from "../text/quote.js";

/** Returns the example as a literal, or null if there is no valid one. */
export function exampleOf(
  { form, limits, name }: ScalarValue,
  all: readonly Constraints[],
): string | null {
  const { example } = limits;
  if (example === undefined) return null;
  switch (form.sample) {
    case "text":
      return textTest(all)(example) ? quoteString(example) : null;
    case "timestamp":
      return isTimestamp(example) ? quoteString(example) : null;
    case "date":
      return isTimestamp(example) ? `new Date(${quoteString(example)})` : null;
    case "bigint":
      return isInteger(example) && isWithin(BigInt(example), limits, name)
        ? `BigInt(${quoteString(example)})`
        : null;
    case "number": {
      const isExact = scalars[name].range !== null;
      const number = Number(example);
      // Validators reject integers that a `number` may have rounded.
      const isOne = isExact
        ? isInteger(example) && Number.isSafeInteger(number)
        : isNumber(example);
      if (!isOne || !isWithin(number, limits, name)) return null;
      return quoteNumber(number);
    }
    case "any":
    case "boolean":
    case "file":
    case "null":
      return null;
  }
}

function isInteger(text: string): boolean {
  return /^-?(?:0|[1-9]\d{0,99})$/u.test(text);
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?$/u.test(text);
}

/** Whether text is a timestamp in UTC, which nearly all examples are. */
function isTimestamp(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/u.test(text) &&
    new Date(text).toJSON()?.slice(0, 19) === text.slice(0, 19)
  );
}

function isWithin(
  value: number | bigint,
  { maximum, minimum }: Constraints,
  name: ScalarValue["name"],
): boolean {
  const [low, high] = scalars[name].range ?? [value, value];
  return (
    value >= low &&
    value <= high &&
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum)
  );
}
