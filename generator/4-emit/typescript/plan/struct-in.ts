import type { StructPlan, Value } from "./plan.js";

/** The struct that a value is, or is a list or map of; null for none. */
export function structIn(value: Value): StructPlan | null {
  switch (value.kind) {
    case "struct":
      return value.type;
    case "list":
      return structIn(value.element);
    case "map":
      return structIn(value.value);
    case "scalar":
    case "bytes":
    case "enum":
      return null;
  }
}
