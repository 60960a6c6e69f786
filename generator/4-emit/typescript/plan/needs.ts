import { unconverted, type Conversion } from "./scalars.js";
import type {
  ExactSides,
  FieldPlan,
  Needs,
  ObjectPlan,
  StructPlan,
  UnitNeeds,
  Value,
  NeededObjects,
  ServicePlan,
  UnitPlan,
} from "./plan.js";
import { structIn } from "./values.js";
import { methodsOf } from "../../../ir/methods-of.js";

const nothing: Needs = {
  decodes: false,
  guards: false,
  reads: false,
  encodes: false,
  hasTwoForms: false,
};

/**
 * Determines how the files of a unit convert values between JSON and
 * TypeScript.
 *
 * Structs can be recursive, so the needs of each struct are propagated to the
 * structs that contain it.
 */
export class ValueNeeds implements UnitNeeds {
  readonly #exact: ExactSides;
  readonly #structs = new Map<ObjectPlan, Needs>();

  constructor(structs: readonly StructPlan[], exact: ExactSides) {
    this.#exact = exact;
    this.#propagate(structs);
  }

  of(value: Value): Needs {
    switch (value.kind) {
      case "struct":
        return this.#structs.get(value.type) ?? nothing;
      case "list":
      case "map": {
        const held = this.of(value.held);
        if (value.held.nullAs !== null)
          return { ...held, guards: true, reads: true };
        return value.held.isNullable ? { ...held, reads: true } : held;
      }
      case "scalar":
      case "bytes":
      case "enum": {
        const conversion = this.conversionOf(value);
        // The value can be null, or it is not JSON.
        const isOpen = value.kind === "scalar" && value.form.isOpen;
        if (conversion === unconverted && !isOpen) return nothing;
        const { decode, encode, form, read } = conversion;
        return {
          decodes: decode !== null,
          guards: read !== null,
          reads: read !== null || isOpen,
          encodes: encode !== null,
          hasTwoForms: form !== null,
        };
      }
    }
  }

  ofObject(object: ObjectPlan): Needs {
    const known = this.#structs.get(object);
    if (known !== undefined) return known;
    return this.#ofFields(object);
  }

  conversionOf(value: Value): Conversion {
    switch (value.kind) {
      case "bytes":
        return bytes;
      case "scalar": {
        if (value.resolved.acceptsInteger) return integerText;
        const { conversion, isConvertedIfExact } = value.form;
        if (!isConvertedIfExact) return conversion;
        const { requests, responses } = this.#exact;
        return {
          decode: requests ? conversion.decode : null,
          read: responses ? conversion.read : null,
          encode: null,
          key: requests || responses ? conversion.key : null,
          form: conversion.form,
        };
      }
      case "enum":
      case "struct":
      case "list":
      case "map":
        return unconverted;
    }
  }

  #ofFields({ fields }: ObjectPlan): Needs {
    let needs = nothing;
    for (const field of fields) needs = union(needs, this.#ofField(field));
    return needs;
  }

  #ofField({ field, isAbsentAsNull, nullAs, value }: FieldPlan): Needs {
    const own = this.of(value);
    // A server can send null for an absent field.
    const guards = own.guards || isAbsentAsNull || nullAs !== null;
    const reads = own.reads || field.isNullable || nullAs !== null;
    return guards === own.guards && reads === own.reads
      ? own
      : { ...own, guards, reads };
  }

  /** Propagates needs to containing structs until nothing changes. */
  #propagate(structs: readonly StructPlan[]): void {
    for (const struct of structs) this.#structs.set(struct, nothing);
    const holders = holdersOf(structs);
    const waiting = new Set(structs);
    for (const struct of waiting) {
      waiting.delete(struct);
      const after = this.#ofFields(struct);
      const before = this.#structs.get(struct) ?? nothing;
      if (isSame(before, after)) continue;
      this.#structs.set(struct, after);
      for (const holder of holders.get(struct) ?? []) waiting.add(holder);
    }
  }
}

function holdersOf(
  structs: readonly StructPlan[],
): ReadonlyMap<StructPlan, ReadonlySet<StructPlan>> {
  const holders = new Map(structs.map((held) => [held, new Set<StructPlan>()]));
  for (const holder of structs) {
    for (const { type } of holder.fields) {
      const held = structIn(type);
      if (held !== null) holders.get(held)?.add(holder);
    }
  }
  return holders;
}

const bytes: Conversion = {
  decode: "decodeBytes",
  read: "decodeBytes",
  encode: "encodeBytes",
  key: null,
  form: "bytesForm",
};

const integerText: Conversion = {
  decode: "decodeIntegerText",
  read: "decodeIntegerText",
  encode: null,
  key: "decodeIntegerText",
  form: "integerTextForm",
};

function union(left: Needs, right: Needs): Needs {
  if (right === nothing || left === right) return left;
  if (left === nothing) return right;
  return {
    decodes: left.decodes || right.decodes,
    guards: left.guards || right.guards,
    reads: left.reads || right.reads,
    encodes: left.encodes || right.encodes,
    hasTwoForms: left.hasTwoForms || right.hasTwoForms,
  };
}

function isSame(left: Needs, right: Needs): boolean {
  return (
    left.decodes === right.decodes &&
    left.guards === right.guards &&
    left.reads === right.reads &&
    left.encodes === right.encodes &&
    left.hasTwoForms === right.hasTwoForms
  );
}

/** A kind of function for structs and messages. */
type Kind = keyof NeededObjects;

/**
 * Finds the structs and messages that need codecs or a printer, and those in
 * requests.
 */
export function findNeeded(
  services: readonly ServicePlan[],
  unit: UnitPlan,
): NeededObjects {
  const search = new Search();
  for (const method of methodsOf(services)) {
    const { printed, reader, request, response } = method;
    search.add("request", request.object);
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
    request: join("request"),
    decoder: join("decoder"),
    reader: join("reader"),
    encoder: join("encoder"),
    printer: join("printer"),
  };
}

class Search {
  readonly found = {
    request: new Set<ObjectPlan>(),
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

  /**
   * Adds the structs in fields for which the unit needs functions, and the
   * structs in those.
   */
  addHeld(kind: Kind, unit: UnitPlan, fields: readonly FieldPlan[]): void {
    // Uses a loop, because nesting can be too deep for recursion.
    const waiting = [{ unit, fields }];
    for (const holder of waiting) {
      for (const { type } of holder.fields) {
        const struct = structIn(type);
        if (struct === null || this.found[kind].has(struct)) continue;
        const needs = holder.unit.needs.ofObject(struct);
        const isNeeded = {
          request: true,
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
