import type { Field } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import type { Imports } from "../text/imports.js";
import { quoteIndex, quoteString } from "../text/quote.js";
import { inheritedNames } from "../names/reserved.js";

/** Whether every object has a property of this name from its prototype. */
export function isInherited(name: string): boolean {
  return inheritedNames.has(name);
}

/**
 * Reading a property of a record: `value["page"]`, or a look at own properties
 * only for the names that every object inherits.
 */
export function readOf(imports: Imports, record: string, name: string): string {
  if (!isInherited(name)) return record + quoteIndex(name);
  const ownValue = imports.runtime("validation", "ownValue");
  return `${ownValue}(${record}, ${quoteString(name)})`;
}

/** Whether `null` in a message means that the field is absent. */
export function isAbsentAsNull(index: ContractIndex, field: Field): boolean {
  if (!field.isOptional || field.isNullable) return false;
  const type = index.resolve(field.type);
  // There, null is a value.
  return !(
    type.kind === "scalar" &&
    (type.name === "any" || type.name === "null")
  );
}
