import { methodsOf } from "../../../ir/methods-of.js";
import type { ValueNeeds } from "./needs.js";
import type {
  FieldValue,
  NeededFunctions,
  NeededObjects,
  ObjectPlan,
  ServicePlan,
  UnitPlan,
} from "./plan.js";
import { structIn } from "./struct-in.js";

/** A kind of function that structs and messages get. */
type Kind = keyof NeededFunctions;

/**
 * The structs and messages for which the messages of a host need a decoder, a
 * reader, an encoder or a printer.
 */
export function findNeeded(
  services: readonly ServicePlan[],
  unit: UnitPlan,
  needsOf: (unit: UnitPlan) => ValueNeeds,
): NeededObjects {
  const search = new Search(needsOf);
  for (const method of methodsOf(services)) {
    const { printed, reader, request, response } = method;
    if (printed === "message") search.add("printer", response.object);
    else if (printed !== null) search.addHeld("printer", unit, [printed]);
    if (request.decodes) search.add("decoder", request.object);
    switch (reader?.kind) {
      case "shared":
        search.add("reader", reader.object);
        break;
      case "inline":
        search.addHeld("reader", unit, response.object.fields);
        break;
      case "drop-nulls":
      case undefined:
        break;
    }
    for (const message of [request, response]) {
      if (message.encodes) search.add("encoder", message.object);
    }
  }
  return search.found;
}

class Search {
  readonly found: Readonly<Record<Kind, Set<ObjectPlan>>> = {
    decoder: new Set(),
    reader: new Set(),
    encoder: new Set(),
    printer: new Set(),
  };
  readonly #needsOf: (unit: UnitPlan) => ValueNeeds;

  constructor(needsOf: (unit: UnitPlan) => ValueNeeds) {
    this.#needsOf = needsOf;
  }

  /** An object, and the structs in it. */
  add(kind: Kind, object: ObjectPlan): void {
    if (this.found[kind].has(object)) return;
    this.found[kind].add(object);
    this.addHeld(kind, object.unit, object.fields);
  }

  /** The structs that fields hold, as the files of a unit see them. */
  addHeld(kind: Kind, unit: UnitPlan, fields: readonly FieldValue[]): void {
    // A loop, not recursion: structs may hold others at length.
    const waiting = [{ unit, fields }];
    for (const holder of waiting) {
      for (const { type } of holder.fields) {
        const struct = structIn(type);
        if (struct === null || this.found[kind].has(struct)) continue;
        const { decodes, encodes, guards, reads } = this.#needsOf(
          holder.unit,
        ).ofStruct(struct);
        const isNeeded = {
          decoder: decodes,
          reader: guards && reads,
          encoder: encodes,
          printer: true,
        };
        if (!isNeeded[kind]) continue;
        this.found[kind].add(struct);
        waiting.push(struct);
      }
    }
  }
}
