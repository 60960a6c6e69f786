import { unconverted, type Conversion } from "./scalars.js";
import type {
  Composite,
  ErrorDataPlan,
  ExactSides,
  FieldPlan,
  Needs,
  ObjectPlan,
  StructPlan,
  UnitNeeds,
  Value,
  NeededObjects,
  ServicePlan,
  UnionPlan,
  UnitPlan,
} from "./plan.js";
import { compositeIn, extraOf, valuesIn } from "./values.js";
import { methodsOf } from "../../../ir/methods-of.js";

/** A declared struct or union. */
type Declared = StructPlan | UnionPlan;

const nothing: Needs = {
  decodes: false,
  guards: false,
  reads: false,
  encodes: false,
  loses: false,
  canBeEmpty: false,
  hasTwoForms: false,
};

const everything: Needs = {
  decodes: true,
  guards: true,
  reads: true,
  encodes: true,
  loses: true,
  canBeEmpty: true,
  hasTwoForms: true,
};

/**
 * Determines how the files of a unit convert values between JSON and
 * TypeScript.
 *
 * Types can be recursive, so the needs of each struct and union are propagated
 * to those that contain it.
 */
export class ValueNeeds implements UnitNeeds {
  readonly #exact: ExactSides;
  readonly #composites = new Map<Composite, Needs>();

  constructor(composites: readonly Declared[], exact: ExactSides) {
    this.#exact = exact;
    this.#propagate(composites);
  }

  of(value: Value): Needs {
    switch (value.kind) {
      case "struct":
      case "union":
        return this.#composites.get(value.type) ?? nothing;
      case "list":
      case "map": {
        const held = {
          ...this.of(value.held),
          ...(value.kind === "map" && { canBeEmpty: true }),
        };
        if (value.held.nullAs !== null)
          return { ...held, guards: true, reads: true };
        if (!value.held.isNullable) return held;
        const loses = held.loses || isNumber(value.held);
        return { ...held, reads: true, loses };
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
          loses:
            value.kind === "scalar" &&
            ["any", "date"].includes(value.form.sample),
          canBeEmpty: false,
          hasTwoForms: form !== null,
        };
      }
    }
  }

  ofComposite(composite: Composite): Needs {
    const known = this.#composites.get(composite);
    if (known !== undefined) return known;
    return this.#ofParts(composite);
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
      case "union":
        return unconverted;
    }
  }

  #ofParts(composite: Composite): Needs {
    let needs = nothing;
    if ("variants" in composite) {
      for (const { value } of composite.variants) {
        needs = union(needs, this.of(value));
        // The union may take null.
        if (isNumber(value)) needs = { ...needs, loses: true };
      }
      // Unknown variants stay as they are, with their nulls.
      if (composite.union.isOpen) needs = { ...needs, reads: true };
    } else if (extraOf(composite) !== undefined) {
      // The members are beside the fields in JSON, and in a map in TypeScript.
      return everything;
    } else {
      for (const field of composite.fields)
        needs = union(needs, this.#ofField(field));
      const isEmpty = composite.fields.every(({ field }) => field.isOptional);
      // Without fields, there is nothing to lose.
      if (isEmpty && composite.fields.length > 0)
        needs = { ...needs, canBeEmpty: true };
    }
    return needs;
  }

  #ofField({ field, isAbsentAsNull, nullAs, value }: FieldPlan): Needs {
    const own = this.of(value);
    // A server can send null for an absent field.
    const guards = own.guards || isAbsentAsNull || nullAs !== null;
    const reads = own.reads || field.isNullable || nullAs !== null;
    const isNullable = field.isNullable || value.isNullable;
    const loses = own.loses || (isNullable && isNumber(value));
    return guards === own.guards && reads === own.reads && loses === own.loses
      ? own
      : { ...own, guards, loses, reads };
  }

  /** Propagates needs to containing composites until nothing changes. */
  #propagate(composites: readonly Declared[]): void {
    for (const each of composites) this.#composites.set(each, nothing);
    const holders = holdersOf(composites);
    const waiting = new Set(composites);
    for (const each of waiting) {
      waiting.delete(each);
      const after = this.#ofParts(each);
      const before = this.#composites.get(each) ?? nothing;
      if (isSame(before, after)) continue;
      this.#composites.set(each, after);
      for (const holder of holders.get(each) ?? []) waiting.add(holder);
    }
  }
}

/** Whether JSON has null for a value that is not finite. */
function isNumber(value: Value): boolean {
  return value.kind === "scalar" && value.form.sample === "number";
}

function holdersOf(
  composites: readonly Declared[],
): ReadonlyMap<Declared, ReadonlySet<Declared>> {
  const holders = new Map(
    composites.map((held) => [held, new Set<Declared>()]),
  );
  for (const holder of composites) {
    for (const value of valuesIn(holder)) {
      const held = compositeIn(value);
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
    loses: left.loses || right.loses,
    canBeEmpty: left.canBeEmpty || right.canBeEmpty,
    hasTwoForms: left.hasTwoForms || right.hasTwoForms,
  };
}

function isSame(left: Needs, right: Needs): boolean {
  return (
    left.decodes === right.decodes &&
    left.guards === right.guards &&
    left.reads === right.reads &&
    left.encodes === right.encodes &&
    left.loses === right.loses &&
    left.canBeEmpty === right.canBeEmpty &&
    left.hasTwoForms === right.hasTwoForms
  );
}

/** A kind of function for composites. */
type Kind = keyof NeededObjects;

/**
 * Finds the structs, messages and unions that need codecs or a printer, and
 * those in requests.
 */
export function findNeeded(
  services: readonly ServicePlan[],
  errorData: readonly Pick<ErrorDataPlan, "object">[],
  unit: UnitPlan,
): NeededObjects {
  const search = new Search();
  for (const { object } of errorData) {
    search.add("printer", object);
    const { encodes, reads } = unit.needs.ofComposite(object);
    if (encodes) search.add("encoder", object);
    if (reads) search.add("reader", object);
  }
  for (const method of methodsOf(services)) {
    const { printed, reader, request, response } = method;
    search.add("request", request.object);
    if (printed === "message") search.add("printer", response.object);
    else {
      const values = printed.map(({ value }) => value);
      search.addHeld("printer", unit, values);
    }
    if (request.decodes) search.add("decoder", request.object);
    switch (reader) {
      case "shared":
        search.add("reader", response.object);
        break;
      case "inline":
        search.addHeld("reader", unit, valuesIn(response.object));
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
  const join = (kind: Kind): ReadonlySet<Composite> =>
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
    request: new Set<Composite>(),
    decoder: new Set<Composite>(),
    reader: new Set<Composite>(),
    encoder: new Set<Composite>(),
    printer: new Set<Composite>(),
  };

  /** Adds an object and the composites in it. */
  add(kind: Kind, object: ObjectPlan): void {
    if (this.found[kind].has(object)) return;
    this.found[kind].add(object);
    this.addHeld(kind, object.unit, valuesIn(object));
  }

  /**
   * Adds the composites in values for which the unit needs functions, and the
   * composites in those.
   */
  addHeld(kind: Kind, unit: UnitPlan, values: readonly Value[]): void {
    // Uses a loop, because nesting can be too deep for recursion.
    const waiting = [{ unit, values }];
    for (const holder of waiting) {
      for (const value of holder.values) {
        const held = compositeIn(value);
        if (held === null || this.found[kind].has(held)) continue;
        const needs = holder.unit.needs.ofComposite(held);
        const isNeeded = {
          request: true,
          decoder: needs.decodes,
          reader: needs.guards && needs.reads,
          encoder: needs.encodes,
          printer: true,
        };
        if (!isNeeded[kind]) continue;
        this.found[kind].add(held);
        waiting.push({ unit: held.unit, values: valuesIn(held) });
      }
    }
  }
}
