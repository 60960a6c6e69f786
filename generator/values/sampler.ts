import type { Contract, Field, TypeReference, Union } from "../ir/contract.js";
import { rememberEach } from "../ir/remember.js";
import { isTextName } from "../ir/scalars.js";
import { enumValuesOf } from "./allowed-values.js";
import {
  choicesOf,
  choose,
  countRange,
  exampleOf,
  textCount,
} from "./choices.js";
import { type Json, type WireObject, writeJson } from "./json.js";
import { hasLimits, textTest } from "./limits.js";
import {
  type ContractValues,
  type ResolvedMap,
  type ResolvedScalar,
  valuesOf,
} from "./value.js";
import { finiteFirst } from "./finite-first.js";
import type { WireOptions } from "./wire-options.js";

/** A typical value, as JSON on the wire. */
export interface Sampled<Value extends Json = Json> {
  readonly json: Value;
  /** Whether servers accept the value. If not, none was found. */
  readonly isValid: boolean;
}

type Subject = Field | TypeReference;

/** Names of the structs that contain a value. */
type Outer = ReadonlySet<string>;

/** How many parts a list or map has. */
interface Counts {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly isUnique?: boolean | undefined;
}

/** Deeper structs are incomplete. */
const maxDepth = 5;

/** From this number of structs on, samples contain only required parts. */
const maxStructs = 60;

/** Longer lists are incomplete. */
const maxItems = 100;

/**
 * Chooses the typical values of a contract's types: the example if there is
 * one, otherwise a value that mocks could draw. It is the only source of values
 * that documentation shows.
 */
export class Sampler {
  readonly #values: ContractValues;
  readonly #scalars: Map<object, Sampled[]>;
  readonly #int64: WireOptions["int64"];
  readonly #shows: (field: Field) => boolean;
  #structs = 0;

  /** `shows` decides which optional fields samples contain. */
  constructor(
    contract: Contract,
    { int64 }: Pick<WireOptions, "int64">,
    shows: (field: Field) => boolean,
  ) {
    this.#values = valuesOf(contract);
    this.#scalars = scalarsIn(contract)[int64];
    this.#int64 = int64;
    this.#shows = shows;
  }

  /** Returns the sample of a message with these fields. */
  message(fields: readonly Field[]): Sampled<WireObject> {
    this.#structs = 0;
    return this.#object(fields, new Set(), 0);
  }

  /** Returns the sample of a field or type. */
  value(subject: Subject): Sampled {
    this.#structs = 0;
    return this.#part(subject, new Set(), 0);
  }

  /** Returns the sample with a number. Most numbers have different samples. */
  #part(subject: Subject, outer: Outer, at: number): Sampled {
    const value = this.#values.valueOf(subject);
    switch (value.kind) {
      case "scalar":
        return this.#scalar(subject, value, at);
      case "bytes": {
        const { maxItems: most = Infinity, minItems = 0 } = value.limits;
        const [length] = countRange(minItems, most, Infinity);
        const bytes = String.fromCharCode(at % 256).padStart(length, "\0");
        const json = btoa(bytes.slice(0, length));
        return { json, isValid: minItems <= most };
      }
      case "enum": {
        const texts = enumValuesOf(value);
        const example = exampleOf(value, this.#int64);
        const first = Math.max(0, texts.indexOf(String(example)));
        const json = texts[(first + at) % texts.length] ?? "";
        return { json, isValid: texts.length > 0 };
      }
      case "struct": {
        const { fields, name } = value.declaration;
        if (outer.has(name) || outer.size >= maxDepth)
          return { json: {}, isValid: false };
        this.#structs += 1;
        return this.#object(fields, new Set([...outer, name]), at);
      }
      case "union":
        return this.#union(value.declaration, outer, at);
      case "list": {
        const { maxItems: max, minItems: min, uniqueItems } = value.limits;
        const counts = { min, max, isUnique: uniqueItems };
        return this.#parts(value.element, counts, outer, at);
      }
      case "map":
        return this.#map(value, outer, at);
    }
  }

  /** Returns the sample of a variant. Different numbers choose others. */
  #union(union: Union, outer: Outer, at: number): Sampled {
    const { name, variants } = union;
    const types =
      outer.size === 0 ? variants : finiteFirst(this.#values, union);
    const inner = outer.has(name) ? outer : new Set([...outer, name]);
    for (let turn = 0; turn < types.length; turn += 1) {
      const type = types[(at + turn) % types.length];
      const sample =
        type && this.#part(type, inner, Math.floor(at / types.length));
      if (sample?.isValid === true) return sample;
    }
    return { json: null, isValid: false };
  }

  #object(
    fields: readonly Field[],
    outer: Outer,
    at: number,
  ): Sampled<WireObject> {
    const entries: (readonly [string, Json])[] = [];
    let isValid = true;
    for (const field of fields) {
      const isBrief = outer.size > 0 && this.#isLong;
      if (field.isOptional && (isBrief || !this.#shows(field))) continue;
      const sample =
        field.isNullable && isBrief
          ? { json: null, isValid: true }
          : this.#part(field, outer, at);
      const isNull = field.isNullable && !sample.isValid;
      if (!isNull && !sample.isValid && field.isOptional) continue;
      entries.push([field.jsonName, isNull ? null : sample.json]);
      isValid &&= isNull || sample.isValid;
    }
    return { json: Object.fromEntries(entries), isValid };
  }

  get #isLong(): boolean {
    return this.#structs > maxStructs;
  }

  #map({ held, key, limits }: ResolvedMap, outer: Outer, at: number): Sampled {
    const { maxProperties: max, minProperties: min = 0 } = limits;
    const keys = this.#parts(key, { min, max, isUnique: true }, outer, at);
    const count = keys.json.length;
    const members = this.#parts(held, { min: count, max: count }, outer, at);
    if (min === 0 && !members.isValid) return { json: {}, isValid: true };
    const entries = keys.json.map((name, index): readonly [string, Json] => [
      String(name),
      members.json[index] ?? null,
    ]);
    const isValid = keys.isValid && members.isValid;
    return { json: Object.fromEntries(entries), isValid };
  }

  /** Returns the items of a list, or the keys or values of a map. */
  #parts(
    type: TypeReference,
    { isUnique, max = Infinity, min = 0 }: Counts,
    outer: Outer,
    at: number,
  ): Sampled<readonly Json[]> {
    const count = this.#isLong ? min : countRange(min, max, 1)[0];
    const found = new Map<string | number, Json>();
    let isValid = min <= max && count <= maxItems;
    // There may be fewer distinct values than a list needs.
    for (let turn = 0; found.size < count && turn < 4 * maxItems; turn += 1) {
      const { isValid: fits, json } = this.#item(type, outer, at + turn);
      isValid &&= fits;
      found.set(isUnique === true ? writeJson(json) : turn, json);
      if (!isValid) break;
    }
    isValid &&= found.size === count;
    const isEmpty = !isValid && min === 0;
    const json = isEmpty ? [] : [...found.values()];
    return { json, isValid: isValid || isEmpty };
  }

  /** Returns the sample of an item: null only if nothing else is valid. */
  #item(type: TypeReference, outer: Outer, at: number): Sampled {
    const sample = this.#part(type, outer, at);
    return !sample.isValid && this.#values.valueOf(type).isNullable
      ? { json: null, isValid: true }
      : sample;
  }

  #scalar(subject: Subject, value: ResolvedScalar, at: number): Sampled {
    const isLimited =
      subject.kind === "field" && hasLimits(subject.constraints);
    // Other values are shared.
    const key = isLimited ? subject : value;
    const known = this.#scalars.get(key) ?? [];
    this.#scalars.set(key, known);
    return (known[at] ??= sampleScalar(value, this.#int64, at));
  }
}

/** Caches the samples of scalars by number. Finding texts takes time. */
const scalarsIn = rememberEach((_: Contract) => ({
  number: new Map<object, Sampled[]>(),
  bigint: new Map<object, Sampled[]>(),
}));

function sampleScalar(
  value: ResolvedScalar,
  int64: WireOptions["int64"],
  at: number,
): Sampled {
  const example = at === 0 ? exampleOf(value, int64) : undefined;
  if (example !== undefined) return { json: example, isValid: true };
  const choices = choicesOf(value, int64, Math.min(at + 1, textCount));
  const json = choose(choices, at);
  switch (choices.kind) {
    case "boolean":
    case "file":
    case "null":
      return { json, isValid: true };
    case "integers":
    case "floats": {
      const isValid = choices.range[0] <= choices.range[1];
      return { json: isTextName(value.scalar) ? String(json) : json, isValid };
    }
    case "listed":
      return { json, isValid: choices.values.length > 0 };
    case "texts":
    case "words":
      return { json, isValid: textTest(value.layers)(String(json)) };
  }
}
