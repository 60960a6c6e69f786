import { unconverted, type Conversion } from "./scalars.js";
import type {
  Converter,
  ExactSides,
  FieldReader,
  FieldValue,
  Needs,
  Reader,
  StructPlan,
  Value,
} from "./plan.js";
import { structIn } from "./struct-in.js";
import type { FieldShell } from "./values.js";

const nothing: Needs = {
  decodes: false,
  guards: false,
  reads: false,
  encodes: false,
};

/**
 * What is done to values between wire and TypeScript, in the files of a unit.
 *
 * Structs may be recursive: what a struct needs is carried from those that need
 * it themselves to those that hold them.
 */
export class ValueNeeds {
  readonly #exact: ExactSides;
  readonly #structs = new Map<StructPlan, Needs>();

  constructor(structs: readonly StructPlan[], exact: ExactSides) {
    this.#exact = exact;
    this.#propagate(structs);
  }

  /** What all fields of an object need. */
  ofFields(fields: readonly FieldValue[]): Needs {
    let needs = nothing;
    for (const field of fields) needs = union(needs, this.#ofField(field));
    return needs;
  }

  /** What all fields of a struct need. */
  ofStruct(struct: StructPlan): Needs {
    return this.#structs.get(struct) ?? nothing;
  }

  /** Notes what is done to a field. */
  plan(field: FieldShell): void {
    const { value } = field;
    const needs = this.#of(value);
    if (needs.decodes) field.decode = this.#converter(value, "decode");
    if (needs.encodes) field.encode = this.#converter(value, "encode");
    field.read = this.#fieldReader(field, needs);
  }

  /** The fields of an object that a client has to look at. */
  readers(fields: readonly FieldValue[]): readonly FieldReader[] {
    return fields.flatMap((field) => {
      const read = this.#fieldReader(field, this.#of(field.value));
      return read === null ? [] : [{ name: field.field.jsonName, read }];
    });
  }

  #ofField({ field, isAbsentAsNull, nullAs, value }: FieldValue): Needs {
    const own = this.#of(value);
    // A server may send null for what is absent.
    const guards = own.guards || isAbsentAsNull || nullAs !== null;
    const reads = own.reads || field.isNullable || nullAs !== null;
    return guards === own.guards && reads === own.reads
      ? own
      : { ...own, guards, reads };
  }

  #of(value: Value): Needs {
    switch (value.kind) {
      case "struct":
        return this.ofStruct(value.type);
      case "list":
        return this.#ofHeld(value.element);
      case "map":
        return this.#ofHeld(value.value);
      case "scalar":
      case "bytes":
      case "enum": {
        const conversion = this.#conversion(value);
        const isPlain = conversion === unconverted && !isOpen(value);
        if (isPlain) return nothing;
        const { decode, encode, read } = conversion;
        return {
          decodes: decode !== null,
          guards: read !== null,
          reads: read !== null || isOpen(value),
          encodes: encode !== null,
        };
      }
    }
  }

  /** What is in a list or map. */
  #ofHeld(value: Value): Needs {
    const own = this.#of(value);
    if (value.nullAs === null) return own;
    return { ...own, guards: true, reads: true };
  }

  /** Functions around a value that is no struct, list or map. */
  #conversion(value: Value): Conversion {
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
        };
      }
      case "enum":
      case "struct":
      case "list":
      case "map":
        return unconverted;
    }
  }

  #converter(value: Value, verb: "decode" | "encode"): Converter | null {
    switch (value.kind) {
      case "struct":
        return { kind: "struct", type: value.type };
      case "list":
        return eachOf("list", this.#converter(value.element, verb));
      case "map":
        return eachOf("map", this.#converter(value.value, verb));
      case "scalar":
      case "bytes":
      case "enum": {
        const name = this.#conversion(value)[verb];
        return name === null ? null : { kind: "runtime", name };
      }
    }
  }

  /** What reads a field; null for what is as the server sends it, but for null. */
  #fieldReader(
    { field, nullAs, value }: FieldValue,
    needs: Needs,
  ): Reader | null {
    const { isNullable, isOptional } = field;
    if (!needs.reads && !isNullable && nullAs === null) return null;
    // Nothing in it has to be looked at.
    const isPlain = !needs.guards;
    const each = isPlain ? same : this.#reader(value);
    if (nullAs !== null) return { kind: "filled", nullAs, each };
    if (isNullable || (isPlain && value.kind === "scalar"))
      return isPlain ? each : { kind: "nullable", each };
    return isOptional || isPlain ? { kind: "optional", each } : each;
  }

  #reader(value: Value): Reader {
    if (!this.#of(value).reads) return { kind: "runtime", name: "dropNulls" };
    switch (value.kind) {
      case "struct":
        return { kind: "struct", type: value.type };
      case "list":
        return { kind: "list", each: this.#heldReader(value.element) };
      case "map":
        return { kind: "map", each: this.#heldReader(value.value) };
      case "scalar":
      case "bytes":
      case "enum": {
        const name = this.#conversion(value).read;
        return name === null ? same : { kind: "runtime", name };
      }
    }
  }

  /** What reads an item of a list or map. */
  #heldReader(value: Value): Reader {
    const { nullAs } = value;
    const each = this.#of(value).guards ? this.#reader(value) : same;
    return nullAs === null
      ? this.#reader(value)
      : { kind: "filled", nullAs, each };
  }

  /** Carries needs from structs to those that hold them, until nothing changes. */
  #propagate(structs: readonly StructPlan[]): void {
    const holders = this.#holders(structs);
    const waiting = new Set(structs);
    for (const struct of waiting) {
      waiting.delete(struct);
      const after = this.ofFields(struct.fields);
      if (isSame(this.ofStruct(struct), after)) continue;
      this.#structs.set(struct, after);
      for (const holder of holders.get(struct) ?? []) waiting.add(holder);
    }
  }

  /** The structs that hold a struct. */
  #holders(
    structs: readonly StructPlan[],
  ): ReadonlyMap<StructPlan, ReadonlySet<StructPlan>> {
    const holders = new Map<StructPlan, Set<StructPlan>>();
    for (const holder of structs) {
      for (const { type } of holder.fields) {
        const held = structIn(type);
        if (held === null) continue;
        const known = holders.get(held);
        if (known === undefined) holders.set(held, new Set([holder]));
        else known.add(holder);
      }
    }
    return holders;
  }
}

const same: Converter = { kind: "runtime", name: "same" };

const bytes: Conversion = {
  decode: "decodeBytes",
  read: "decodeBytes",
  encode: "encodeBytes",
};

const integerText: Conversion = {
  decode: "decodeIntegerText",
  read: "decodeIntegerText",
  encode: null,
};

function eachOf(
  kind: "list" | "map",
  each: Converter | null,
): Converter | null {
  return each === null ? null : { kind, each };
}

/** Whether a value may be null, or is no JSON. */
function isOpen(value: Value): boolean {
  return value.kind === "scalar" && value.form.isOpen;
}

function union(left: Needs, right: Needs): Needs {
  if (right === nothing || left === right) return left;
  if (left === nothing) return right;
  return {
    decodes: left.decodes || right.decodes,
    guards: left.guards || right.guards,
    reads: left.reads || right.reads,
    encodes: left.encodes || right.encodes,
  };
}

function isSame(left: Needs, right: Needs): boolean {
  return (
    left.decodes === right.decodes &&
    left.guards === right.guards &&
    left.reads === right.reads &&
    left.encodes === right.encodes
  );
}
