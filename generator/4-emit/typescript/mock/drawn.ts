import { methodsOf } from "../../../ir/methods-of.js";
import type { ObjectPlan, Plan, Value } from "../plan/plan.js";

/** The types that get a function that draws a value. */
export interface Drawn {
  /** Structs and messages. */
  readonly objects: ReadonlySet<ObjectPlan>;
  /** Enums and aliases by their names in RIDL. */
  readonly names: ReadonlySet<string>;
}

/** Finds the types that responses contain. */
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
  // A loop over a set also visits members that are added to it.
  for (const { fields } of objects) {
    for (const { type } of fields) visit(type);
  }
  return { objects, names };
}
