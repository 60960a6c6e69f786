import { readExample } from "../../../values/read-example.js";
import { scalars } from "../../../ir/scalars.js";
import type { ScalarValue } from "../plan/plan.js";
import { quoteNumber, quoteString } from "../text/quote.js";

/** Returns the example as a literal, or null if there is no valid one. */
export function exampleOf({
  form,
  layers,
  limits,
  name,
}: ScalarValue): string | null {
  const value = readExample(name, layers, limits.example);
  if (value === undefined) return null;
  switch (form.sample) {
    case "text":
    case "timestamp":
      return quoteString(String(value));
    case "date": {
      // Unlike RFC 3339, dates have no lower-case letters and no leap seconds.
      const time = String(value).toUpperCase();
      return Number.isNaN(Date.parse(time))
        ? null
        : `new Date(${quoteString(time)})`;
    }
    case "bigint":
      return `BigInt(${quoteString(String(value))})`;
    case "number":
      // Validators reject integers that a `number` may have rounded.
      return typeof value === "bigint" && scalars[name].range !== null
        ? null
        : quoteNumber(Number(value));
    case "any":
    case "boolean":
    case "file":
    case "null":
      return null;
  }
}
