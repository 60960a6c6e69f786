import type { DocumentPart } from "../../read/document-part.js";
import type { MappedType, ModelField, ModelType } from "../../model/model.js";
import type { BaseSchema, Bases, BaseVariant } from "./bases.js";
import { mapFields } from "./fields.js";
import { type SchemaView, viewSchema } from "./schema-view.js";
import { type VariantTagger, tagUnion } from "./tags.js";
import type { NamedVariant, Types } from "./types.js";
import type { Unfinished } from "./unfinished.js";

/** The mapper of types, and what declaring variants needs of it. */
interface BaseTypes extends Types {
  declare(part: DocumentPart, hint: string): string;
}

/** Declares schemas that others extend as unions of structs with a tag. */
export class BaseUnions {
  readonly #types: BaseTypes;
  readonly #bases: Bases;
  readonly #tagger: VariantTagger;
  readonly #unfinished: Unfinished;
  /** The structs of bases and of schemas beside them, by their places. */
  readonly #structs = new Map<string, string>();
  /** The variants of each union. */
  readonly #variants = new Map<string, readonly NamedVariant[]>();
  readonly #wholes = new Map<string, string>();

  constructor(
    types: BaseTypes,
    bases: Bases,
    tagger: VariantTagger,
    unfinished: Unfinished,
  ) {
    this.#types = types;
    this.#bases = bases;
    this.#tagger = tagger;
    this.#unfinished = unfinished;
  }

  /** Returns the variants of the union with a name, or null for other types. */
  variantsOf(name: string): readonly NamedVariant[] | null {
    return this.#variants.get(name) ?? null;
  }

  /** Maps a base to a union as soon as the tags of its variants are known. */
  map(
    type: ModelType,
    base: BaseSchema,
    finish: (mapped: MappedType) => void,
  ): void {
    this.#unfinished.during(type.name, () => this.#map(type, base, finish));
  }

  #map(
    type: ModelType,
    base: BaseSchema,
    finish: (mapped: MappedType) => void,
  ): void {
    const named = base.variants.map((variant) => ({
      ...variant,
      name: this.#declareVariant(variant, type),
    }));
    this.#variants.set(type.name, named);
    const join = (): void => {
      const names = named.map(({ name, tags }) =>
        this.#tagger.assign(name, base.wire, tags, base.discriminator),
      );
      this.#variants.set(
        type.name,
        named.map(({ part }, index) => ({ part, name: names[index] ?? "" })),
      );
      const [only, ...others] = new Set(names);
      const isOne = only !== undefined && others.length === 0;
      finish(
        isOne
          ? { type: only, metadata: [] }
          : tagUnion({ names, wire: base.wire }),
      );
    };
    const isWaiting = named.some(({ name }) => this.#unfinished.has(name));
    if (isWaiting) this.#unfinished.tagLater(type.name, join);
    else join();
  }

  #declareVariant({ beside, part }: BaseVariant, base: ModelType): string {
    if (part.id === base.part.id) {
      return this.#declareStruct([part], base, "Base");
    }
    const name = this.#types.declare(part, this.#bases.nameOf(part));
    const own = this.#types.find(name);
    if (own === undefined) return name;
    if (this.#bases.read(part) !== null) {
      return this.#declareStruct([part], own, "Base");
    }
    const isWhole =
      beside === null ||
      hasFieldsOf(this.#types.view(part), this.#types.view(beside));
    return isWhole
      ? name
      : this.#declareStruct([part, beside], own, this.#bases.nameOf(beside));
  }

  /**
   * Declares a struct with the fields of schemas beside the type of the first one
   * once, and returns its name.
   */
  #declareStruct(
    [first, ...others]: readonly [DocumentPart, ...DocumentPart[]],
    { docs, name, part }: ModelType,
    suffix: string,
  ): string {
    const key = [first, ...others].map(({ id }) => id).join(" ");
    const known = this.#structs.get(key);
    if (known !== undefined) return known;
    const own = this.#types.declareStruct(part, name + suffix, []);
    this.#structs.set(key, own);
    const declared = this.#types.structOf(own);
    if (declared === null) return own;
    declared.docs = docs;
    const { library, notes } = this.#types;
    const view = viewSchema(first, library, notes, others);
    this.#unfinished.during(own, () => {
      declared.body.fields = mapFields(view, name, this.#types);
    });
    return own;
  }

  /**
   * Returns a struct with the fields that all variants of a union have, where RIDL
   * needs one, or null for other types.
   */
  wholeOf(name: string): string | null {
    const union = this.#types.find(name);
    if (union === undefined || !this.#variants.has(name)) return null;
    const known = this.#wholes.get(name);
    if (known !== undefined) return known;
    const view = this.#types.view(union.part);
    const fields: readonly ModelField[] = mapFields(view, name, this.#types);
    const whole = this.#types.declareStruct(
      union.part,
      `${name}Fields`,
      fields,
    );
    this.#wholes.set(name, whole);
    return whole;
  }
}

/** Whether a schema has all fields of another one itself. */
function hasFieldsOf(view: SchemaView, other: SchemaView): boolean {
  const { properties, required } = view;
  return (
    [...other.properties.keys()].every((key) => properties.has(key)) &&
    [...other.required].every((key) => required.has(key))
  );
}
