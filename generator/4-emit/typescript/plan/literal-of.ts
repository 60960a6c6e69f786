import { type Json, writeJson } from "../../../values/json.js";
import { quoteNumber, quoteString } from "../text/quote.js";
import type { EnumValue, ScalarValue } from "./plan.js";
import type { ScalarForm } from "./scalars.js";

/** Prints a value of a core type as code. Input: the value in JSON. */
export function literalOf({ sample }: ScalarForm, json: Json): string {
  if (json === null && sample !== "file") return "null";
  switch (sample) {
    case "text":
    case "timestamp":
      return quoteString(String(json));
    case "date": {
      // Unlike RFC 3339, dates have no lower-case letters and no leap seconds.
      const time = String(json).toUpperCase().replace(":60", ":59");
      return `new Date(${quoteString(time)})`;
    }
    case "bigint":
      return `${BigInt(String(json))}n`;
    case "number":
      return quoteNumber(Number(json));
    case "any":
    case "boolean":
    case "null":
      return typeof json === "string" ? quoteString(json) : writeJson(json);
    case "file":
      return "new Blob()";
  }
}

/** Prints the values that `+ enum` lists as code, or returns null. */
export function literalsOf(
  value: EnumValue | ScalarValue,
): readonly string[] | null {
  if (value.allowed === null) return null;
  return value.allowed.map((each) =>
    value.kind === "enum"
      ? quoteString(String(each))
      : literalOf(value.form, each),
  );
}
