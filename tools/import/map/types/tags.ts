import type { DocumentPart } from "../../read/document-part.js";
import { namedField } from "./fields.js";
import type { ModelField } from "../../model/model.js";
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
  /** Structs with fewer values of their tag, by the struct and these values. */
  readonly #narrowed = new Map<string, string>();

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
      const narrowed = known && this.#narrow(struct, wire, known);
      if (narrowed) return narrowed;
      setTag(struct, wire, listed, discriminator);
      return struct.name;
    });
    return { wire, names: tagged };
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
   * Declares a variant whose tag lists more values than those that mean it, as
   * another struct. Returns its name, or null if the variant is right as it is.
   */
  #narrow(
    struct: ModelStruct,
    wire: string,
    known: readonly string[],
  ): string | null {
    const { fields } = struct.body;
    const at = fields.findIndex((field) => field.wire === wire);
    const field = fields[at];
    const listed = field && this.#valuesOf(field)?.values;
    if (field === undefined || !listed) return null;
    const values = listed.filter((value) => known.includes(value));
    if (values.length === 0 || values.length === listed.length) return null;
    const value = values.join("|");
    const key = `${struct.name} ${value}`;
    const others = field.metadata.filter(
      (each) => each.key !== "enum" && each.key !== "example",
    );
    const metadata = [...others, { key: "enum", value }];
    const narrowed = { ...field, type: "string", metadata, isOptional: false };
    const name =
      this.#narrowed.get(key) ??
      this.#types.declareStruct(
        struct.part,
        `${struct.name}Variant`,
        fields.with(at, narrowed),
      );
    this.#narrowed.set(key, name);
    return name;
  }
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

/** Sets the values of a tag that is a string without values. */
function setTag(
  struct: ModelStruct,
  wire: string,
  values: readonly string[],
  part: DocumentPart,
): void {
  const { fields } = struct.body;
  const at = fields.findIndex((field) => field.wire === wire);
  const field = fields[at];
  const list = { key: "enum", value: values.join("|") };
  if (field === undefined) {
    const named = namedField(wire, new NameScope());
    struct.body.fields = [
      {
        ...named,
        type: "string",
        metadata: [...named.metadata, list],
        isOptional: false,
        docs: [],
        part,
      },
      ...fields,
    ];
    return;
  }
  const isListed = field.metadata.some(({ key }) => key === "enum");
  // A closed list of another type stays, and the check of unions decides.
  const metadata =
    isListed || field.type !== "string"
      ? field.metadata
      : [...field.metadata.filter(({ key }) => key !== "example"), list];
  const tag = { ...field, metadata, isOptional: false };
  struct.body.fields = fields.with(at, tag);
}
