import { methodsOf } from "../../../ir/methods-of.js";
import type {
  FieldPlan,
  NeededObjects,
  ObjectPlan,
  ServicePlan,
  UnitPlan,
} from "./plan.js";
import { structIn } from "./values.js";

/** A kind of function for structs and messages. */
type Kind = keyof NeededObjects;

/**
 * Finds the structs and messages for which a host needs a decoder, a reader, an
 * encoder or a printer.
 */
export function findNeeded(
  services: readonly ServicePlan[],
  unit: UnitPlan,
): NeededObjects {
  const search = new Search();
  for (const method of methodsOf(services)) {
    const { printed, reader, request, response } = method;
    if (printed === "message") search.add("printer", response.object);
    else if (printed !== null) search.addHeld("printer", unit, [printed]);
    if (request.decodes) search.add("decoder", request.object);
    switch (reader) {
      case "shared":
        search.add("reader", response.object);
        break;
      case "inline":
        search.addHeld("reader", unit, response.object.fields);
        break;
      case "drop-nulls":
      case null:
        break;
    }
    for (const message of [request, response]) {
      if (message.encodes) search.add("encoder", message.object);
    }
  }
  return search.found;
}

/** Joins the needs of several hosts. */
export function joinNeeded(all: readonly NeededObjects[]): NeededObjects {
  const join = (kind: Kind): ReadonlySet<ObjectPlan> =>
    new Set(all.flatMap((needed) => [...needed[kind]]));
  return {
    decoder: join("decoder"),
    reader: join("reader"),
    encoder: join("encoder"),
    printer: join("printer"),
  };
}

class Search {
  readonly found = {
    decoder: new Set<ObjectPlan>(),
    reader: new Set<ObjectPlan>(),
    encoder: new Set<ObjectPlan>(),
    printer: new Set<ObjectPlan>(),
  };

  /** Adds an object and the structs in it. */
  add(kind: Kind, object: ObjectPlan): void {
    if (this.found[kind].has(object)) return;
    this.found[kind].add(object);
    this.addHeld(kind, object.unit, object.fields);
  }

  /** Adds the structs in fields, by the needs of a unit. */
  addHeld(kind: Kind, unit: UnitPlan, fields: readonly FieldPlan[]): void {
    // Uses a loop, because nesting can be too deep for recursion.
    const waiting = [{ unit, fields }];
    for (const holder of waiting) {
      for (const { type } of holder.fields) {
        const struct = structIn(type);
        if (struct === null || this.found[kind].has(struct)) continue;
        const needs = holder.unit.needs.ofObject(struct);
        const isNeeded = {
          decoder: needs.decodes,
          reader: needs.guards && needs.reads,
          encoder: needs.encodes,
          printer: true,
        };
        if (!isNeeded[kind]) continue;
        this.found[kind].add(struct);
        waiting.push(struct);
      }
    }
  }
}
