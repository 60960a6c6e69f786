import { methodsOf } from "../../../ir/methods-of.js";
import type { ObjectPlan, Plan, Value } from "../plan/plan.js";

/** What gets a function that draws it. */
export interface Drawn {
  /** Structs and messages. */
  readonly objects: ReadonlySet<ObjectPlan>;
  /** Enums and aliases by their names in RIDL. */
  readonly names: ReadonlySet<string>;
}

/** Finds what the responses of a contract's servers hold. */
export function findDrawn({ hosts }: Plan): Drawn {
  const objects = new Set<ObjectPlan>();
  const names = new Set<string>();
  const visit = (value: Value): void => {
    if (value.declared !== null) names.add(value.declared.schemaName);
    switch (value.kind) {
      case "scalar":
      case "bytes":
        return;
      case "enum":
        names.add(value.type.schemaName);
        return;
      case "struct":
        objects.add(value.type);
        return;
      case "map":
        visit(value.key);
        visit(value.held);
        return;
      case "list":
        visit(value.held);
        return;
    }
  };
  for (const { inbound } of hosts) {
    for (const { response } of methodsOf(inbound)) objects.add(response.object);
  }
  // A set is walked in the order of insertion, new members included.
  for (const { fields } of objects) {
    for (const { type } of fields) visit(type);
  }
  return { objects, names };
}
