import { unconverted, type Conversion } from "./scalars.js";
import type {
  ExactSides,
  FieldPlan,
  Needs,
  ObjectPlan,
  StructPlan,
  UnitNeeds,
  Value,
} from "./plan.js";
import { structIn } from "./values.js";

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
        return value.held.nullAs === null
          ? held
          : { ...held, guards: true, reads: true };
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
        if (value.acceptsInteger) return integerText;
        const { conversion, isConvertedIfExact } = value.form;
        if (!isConvertedIfExact) return conversion;
        const { requests, responses } = this.#exact;
        return {
          decode: requests ? conversion.decode : null,
          read: responses ? conversion.read : null,
          encode: null,
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

  /**
   * Propagates needs to the structs that contain a struct until nothing
   * changes.
   */
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

/** Finds the structs that contain each struct. */
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
  form: "bytesForm",
};

const integerText: Conversion = {
  decode: "decodeIntegerText",
  read: "decodeIntegerText",
  encode: null,
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
