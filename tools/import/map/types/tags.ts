import type { DocumentPart } from "../../read/document-part.js";
import { listValues } from "./enum-types.js";
import { namedField } from "./fields.js";
import type { MappedType, ModelField } from "../../model/model.js";
import { NameScope } from "../../model/names.js";
import type { ModelStruct, Types } from "./types.js";

/** The variants of a union, and the field that tells them apart. */
export interface Tagged {
  readonly wire: string;
  readonly names: readonly string[];
}

/** Finds the tags of unions, and gives variants their values. */
export class VariantTagger {
  readonly #types: Types;
  /** The first tag of each struct, by the struct's name. */
  readonly #tags = new Map<string, Tag>();
  /** Copies of structs with other tags, by the struct and the tag. */
  readonly #copies = new Map<string, string>();

  constructor(types: Types) {
    this.#types = types;
  }

  /**
   * Gives each variant of a union the values of its tag. Returns null if there is
   * no tag: then the variants must differ in their JSON.
   */
  tag(
    discriminator: DocumentPart | null,
    variants: readonly DocumentPart[],
    names: readonly string[],
  ): Tagged | null {
    const structs = names.flatMap((name) => this.#types.structOf(name) ?? []);
    if (structs.length < names.length) return null;
    const wire =
      discriminator?.textOf("propertyName") ?? this.#commonTag(structs);
    if (wire === null || wire === "") return null;
    if (discriminator === null) return { wire, names };
    const mapping = readMapping(discriminator, this.#types);
    const tagged = structs.map((struct, index) => {
      const part = variants[index];
      const target = part && this.#types.library.resolve(part);
      const known = target && mapping.get(target.id);
      // A variant that is no reference has no name.
      const isNamed =
        target !== null && target !== undefined && target.id !== part?.id;
      const listed = known ?? (isNamed ? [target.key] : []);
      if (listed.length === 0) return struct.name;
      const { fields } = this.#tags.get(struct.name) ?? struct.body;
      const narrowed = known && this.#narrow(fields, wire, known);
      return narrowed
        ? this.#copy(struct, narrowed, wire)
        : this.#setTag(
            struct,
            withTag(fields, wire, listed, discriminator),
            wire,
            discriminator,
          );
    });
    return { wire, names: tagged };
  }

  /**
   * Gives a struct exactly these values of its tag, and returns the name of the
   * variant.
   */
  assign(
    name: string,
    wire: string,
    values: readonly string[],
    part: DocumentPart,
  ): string {
    const struct = this.#types.structOf(name);
    if (struct === null) return name;
    const { fields } = this.#tags.get(name) ?? struct.body;
    return this.#setTag(
      struct,
      setValues(fields, wire, values, part),
      wire,
      part,
    );
  }

  /** A required field whose listed values differ in all variants. */
  #commonTag([first, ...others]: readonly ModelStruct[]): string | null {
    const fields = first?.body.fields ?? [];
    const found = fields.find((field) => {
      const lists = [field, ...others.flatMap((each) => sameIn(each, field))]
        .filter(({ isOptional }) => !isOptional)
        .flatMap((each) => this.#valuesOf(each) ?? []);
      const count = others.length + 1;
      const all = lists.flatMap(({ values }) => values);
      return lists.length === count && new Set(all).size === all.length;
    });
    return found?.wire ?? null;
  }

  /** Returns the values that a field lists, or null if it lists none. */
  #valuesOf({ metadata, type }: ModelField): Listed | null {
    const list = metadata.find(({ key }) => key === "enum");
    if (list !== undefined) return { values: list.value.split("|") };
    const body = this.#types.find(type)?.body;
    if (body?.kind !== "enum") return null;
    return { values: body.members.map(({ value }) => value) };
  }

  /**
   * Returns fields whose tag only has those of its values that mean a variant.
   * Returns null if it has no others.
   */
  #narrow(
    fields: readonly ModelField[],
    wire: string,
    known: readonly string[],
  ): readonly ModelField[] | null {
    const at = fields.findIndex((field) => field.wire === wire);
    const field = fields[at];
    const listed = field && this.#valuesOf(field)?.values;
    if (field === undefined || !listed) return null;
    const values = listed.filter((value) => known.includes(value));
    if (values.length === 0 || values.length === listed.length) return null;
    const metadata = [
      ...withoutValues(field),
      { key: "enum", value: values.join("|") },
    ];
    const tag = { ...field, type: "string", metadata, isOptional: false };
    return fields.with(at, tag);
  }

  /**
   * Gives a struct the fields with its tag, or declares a copy if it has another
   * tag, because the values of one union are not those of another. Returns the name
   * of the variant.
   */
  #setTag(
    struct: ModelStruct,
    tagged: readonly ModelField[],
    wire: string,
    part: DocumentPart,
  ): string {
    const known = this.#tags.get(struct.name);
    const key = this.#describe(tagged, wire);
    if (known === undefined) {
      this.#tags.set(struct.name, { fields: struct.body.fields, key });
      struct.body.fields = tagged;
      return struct.name;
    }
    if (known.key === key) return struct.name;
    const message = `\`${struct.name}\` has another tag in another union`;
    const instead = "outside of unions, it has the tag of the other one";
    this.#types.notes.add("value", part, message, instead);
    return this.#copy(struct, tagged, wire);
  }

  /** Declares a struct with another tag once, and returns its name. */
  #copy(
    struct: ModelStruct,
    fields: readonly ModelField[],
    wire: string,
  ): string {
    const key = `${struct.name} ${this.#describe(fields, wire)}`;
    const hint = `${struct.name}Variant`;
    const name =
      this.#copies.get(key) ??
      this.#types.declareStruct(struct.part, hint, fields);
    this.#copies.set(key, name);
    return name;
  }

  /** Returns a text that is the same for tags with the same values. */
  #describe(fields: readonly ModelField[], wire: string): string {
    const field = fields.find((each) => each.wire === wire);
    const values = field && this.#valuesOf(field)?.values;
    return `${wire} ${values?.join("|")}`;
  }
}

/** The first tag of a struct. */
interface Tag {
  /** The fields without it. */
  readonly fields: readonly ModelField[];
  readonly key: string;
}

interface Listed {
  readonly values: readonly string[];
}

/** Returns the field of a struct with the name of another field. */
function sameIn(
  { body }: ModelStruct,
  { wire }: ModelField,
): readonly ModelField[] {
  return body.fields.filter((field) => field.wire === wire);
}

/** Returns the tags of each schema by its place. */
function readMapping(
  discriminator: DocumentPart,
  types: Types,
): ReadonlyMap<string, readonly string[]> {
  const mapping = new Map<string, string[]>();
  for (const entry of discriminator.get("mapping")?.entries() ?? []) {
    const target = types.library.follow(entry);
    if (target === null) continue;
    mapping.set(target.id, [...(mapping.get(target.id) ?? []), entry.key]);
  }
  return mapping;
}

/** Returns fields with a tag, whose values are listed unless it is no string. */
function withTag(
  fields: readonly ModelField[],
  wire: string,
  values: readonly string[],
  part: DocumentPart,
): readonly ModelField[] {
  const at = fields.findIndex((field) => field.wire === wire);
  const field = fields[at];
  if (field === undefined) return setValues(fields, wire, values, part);
  const isListed = field.metadata.some(({ key }) => key === "enum");
  // A closed list of another type stays, and the check of unions decides.
  return isListed || field.type !== "string"
    ? fields.with(at, { ...field, isOptional: false })
    : setValues(fields, wire, values, part);
}

/** Returns fields with a tag that has exactly these values. */
function setValues(
  fields: readonly ModelField[],
  wire: string,
  values: readonly string[],
  part: DocumentPart,
): readonly ModelField[] {
  const at = fields.findIndex((field) => field.wire === wire);
  const field = fields[at];
  const { metadata: list, type } = listValues(values, "string");
  if (field === undefined) {
    const named = namedField(wire, new NameScope());
    const metadata = [...named.metadata, ...list];
    const rest = { type, isOptional: false, docs: [], part };
    return [{ ...named, ...rest, metadata }, ...fields];
  }
  const kept = withoutValues(field).filter(
    ({ key }) => key !== "known" && key !== "nullable",
  );
  const metadata = [...kept, ...list];
  return fields.with(at, { ...field, type, metadata, isOptional: false });
}

/** Returns the metadata of a field, except for what depends on its values. */
function withoutValues({ metadata }: ModelField): ModelField["metadata"] {
  return metadata.filter(({ key }) => key !== "enum" && key !== "example");
}

/** Returns a union with a tag. */
export function tagUnion({ names, wire }: Tagged): MappedType {
  return {
    type: "any",
    metadata: [
      { key: "oneOf", value: [...new Set(names)].join("|") },
      { key: "tag", value: wire },
    ],
  };
}
