import { quoteIndex, quoteString } from "../text/quote.js";
import type { Imports } from "./imports.js";
import type { FieldPlan } from "./plan.js";

/**
 * Reading a property of a record: `value["page"]`, or a look at own properties
 * only for the names that every object inherits.
 */
export function readOf(
  imports: Imports,
  record: string,
  { field, isInherited }: FieldPlan,
): string {
  const { jsonName } = field;
  if (!isInherited) return record + quoteIndex(jsonName);
  const ownValue = imports.runtime("validation", "ownValue");
  return `${ownValue}(${record}, ${quoteString(jsonName)})`;
}
