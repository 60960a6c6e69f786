import type { DocumentPart } from "../../read/document-part.js";
import { listValues, nameMembers } from "./enum-types.js";
import type { MappedType, TypeBody } from "../../model/model.js";
import { toPascal } from "../../model/names.js";
import type { SchemaView } from "./schema-view.js";
import { noteBesideUnion } from "./note-hidden.js";
import { joinPatterns, joinStrings } from "./strings.js";
import { tagUnion, type VariantTagger } from "./tags.js";
import type { NamedVariant, Types } from "./types.js";

const anyType: MappedType = { type: "any", metadata: [] };
const nullable = { key: "nullable", value: "true" };

/** Maps `oneOf`, `anyOf` and lists of types to unions. */
export class UnionMapper {
  readonly #types: Types;
  readonly #tagger: VariantTagger;

  constructor(types: Types, tagger: VariantTagger) {
    this.#types = types;
    this.#tagger = tagger;
  }

  /** Whether a schema has several variants. */
  isUnion(view: SchemaView): boolean {
    return view.types.length > 1 || this.#variantsIn(view).length > 0;
  }

  /** Whether a schema has several variants besides null, one of which is such. */
  hasVariant(
    view: SchemaView,
    isSuch: (part: DocumentPart) => boolean,
  ): boolean {
    const present = this.#variantsIn(view).filter((part) => !isNull(part));
    return present.length > 1 && present.some(isSuch);
  }

  /** Maps a schema with variants. A union of its own needs a name. */
  map(view: SchemaView, hint: string, isNamed: boolean): TypeBody {
    const variants = this.#variantsIn(view);
    const mapped =
      variants.length > 0
        ? this.#mapVariants(view, variants, hint)
        : this.#mapTypes(view, hint);
    const isUnion = mapped.metadata.some(
      ({ key }) => key === "oneOf" || key === "known",
    );
    // An argument cannot be a union itself, and neither can an item of a list.
    if (!isUnion || isNamed) return { kind: "alias", ...mapped };
    const type = this.#types.declareAlias(view.part, hint, mapped);
    return { kind: "alias", type, metadata: [] };
  }

  /** Returns the variants. Those that only list required fields are none. */
  #variantsIn(view: SchemaView): readonly DocumentPart[] {
    const lists = [view.get("oneOf"), view.get("anyOf")]
      .flatMap((list) => list ?? [])
      .filter((list) => list.items().length > 0);
    const used = lists.find((list) => !isCondition(list));
    for (const list of lists) {
      if (list === used) continue;
      const message = isCondition(list)
        ? "RIDL has no conditions for required fields"
        : "RIDL cannot combine two unions";
      const instead = "values are not checked for this one";
      this.#types.notes.add("value", list, message, instead);
    }
    return used?.items() ?? [];
  }

  /** `type: [string, integer]`. */
  #mapTypes(view: SchemaView, hint: string): MappedType {
    const names = view.types.filter(
      (type) => type !== "integer" || !view.types.includes("number"),
    );
    const mapped = names.map((type) => {
      const inner = this.#types.mapAs(view, type, `${hint}${toPascal(type)}`);
      return inner.metadata.length === 0
        ? inner.type
        : this.#types.declareAlias(
            view.part,
            `${hint}${toPascal(type)}`,
            inner,
          );
    });
    return this.#join(view.part, mapped);
  }

  #mapVariants(
    view: SchemaView,
    variants: readonly DocumentPart[],
    hint: string,
  ): MappedType {
    const views = variants
      .filter((part) => !isNull(part))
      .map((part) => this.#types.view(part));
    noteBesideUnion(view, views, this.#types.notes);
    const added = [...view.properties.keys()].filter(
      (key) => !views.every(({ properties }) => properties.has(key)),
    );
    if (added.length > 0) {
      const message = "RIDL cannot add fields to the variants of a union";
      const at = view.get("properties") ?? view.part;
      const instead = "the variants are mapped without them";
      this.#types.notes.add("value", at, message, instead);
    }
    const open = this.#openEnum(view, variants, hint);
    if (open !== null) return open;
    const present = variants.filter((part) => !isNull(part));
    const [only, ...others] = present;
    if (only === undefined) return { type: "null", metadata: [] };
    const base =
      others.length === 0
        ? this.#types.map(only, hint)
        : this.#union(view, present, hint);
    const isNullable = present.length < variants.length;
    const hasNull = base.metadata.some(({ key }) => key === "nullable");
    if (view.types.length > 0 && !view.isNullable) {
      // The type of the union excludes null.
      const metadata = base.metadata.filter(({ key }) => key !== "nullable");
      return { ...base, metadata };
    }
    return isNullable &&
      !hasNull &&
      (base.type !== "any" || base.metadata.length > 0)
      ? {
          ...base,
          metadata: [...base.metadata, nullable],
        }
      : base;
  }

  #union(
    view: SchemaView,
    variants: readonly DocumentPart[],
    hint: string,
  ): MappedType {
    let isNullable = false;
    const names = variants.map((part, index) => {
      const title = toPascal(part.textOf("title") ?? "");
      const name = title === "" ? `${hint}${index + 1}` : title;
      const { type, metadata } = this.#types.map(part, name);
      // A variant that can be null makes the union nullable.
      const limits = metadata.filter(({ key }) => key !== "nullable");
      isNullable ||= limits.length < metadata.length;
      return limits.length === 0
        ? type
        : this.#types.declareAlias(part, name, { type, metadata: limits });
    });
    const joined = this.#joinVariants(view, variants, names, hint);
    return isNullable && joined.metadata.length > 0
      ? { ...joined, metadata: [...joined.metadata, nullable] }
      : joined;
  }

  #joinVariants(
    view: SchemaView,
    variants: readonly DocumentPart[],
    names: readonly string[],
    hint: string,
  ): MappedType {
    const discriminator = view.get("discriminator");
    const all = this.#expand(discriminator, variants, names);
    const tagged = this.#tagger.tag(
      discriminator,
      all.map(({ part }) => part),
      all.map(({ name }) => name),
    );
    return tagged === null
      ? this.#join(view.part, this.#joinObjects(view, variants, names, hint))
      : tagUnion(tagged);
  }

  /** Returns the variants, with those of schemas that others extend in their place. */
  #expand(
    discriminator: DocumentPart | null,
    variants: readonly DocumentPart[],
    names: readonly string[],
  ): readonly NamedVariant[] {
    const tag = discriminator?.textOf("propertyName");
    return variants.flatMap((part, index): readonly NamedVariant[] => {
      const name = names[index] ?? "";
      const body = this.#types.find(name)?.body;
      const metadata = body?.kind === "alias" ? body.metadata : [];
      const isOther = metadata.some(
        ({ key, value }) =>
          key === "nullable" || (tag && key === "tag" && value !== tag),
      );
      const all = isOther ? null : this.#types.variantsOf(name);
      return all ?? [{ part, name }];
    });
  }

  /**
   * Makes the objects among the variants a union of their own if they have a tag,
   * because a union with other variants cannot have one.
   */
  #joinObjects(
    view: SchemaView,
    variants: readonly DocumentPart[],
    names: readonly string[],
    hint: string,
  ): readonly string[] {
    const isObject = (name = ""): boolean =>
      this.#types.structOf(name) !== null;
    const objects = names.filter(isObject);
    if (objects.length < 2 || objects.length === names.length) return names;
    const parts = variants.filter((_, index) => isObject(names[index]));
    const discriminator = view.get("discriminator");
    const tagged = this.#tagger.tag(discriminator, parts, objects);
    if (tagged === null) return names;
    const name = `${hint}Object`;
    const union = this.#types.declareAlias(view.part, name, tagUnion(tagged));
    return [...names.filter((each) => !isObject(each)), union];
  }

  /** Joins variants without a tag: objects with more required fields first. */
  #join(part: DocumentPart, names: readonly string[]): MappedType {
    const unique = joinNumbers(joinStrings([...new Set(names)], this.#types));
    const [only, ...others] = unique;
    if (only === undefined || unique.includes("any")) return anyType;
    if (others.length === 0) return { type: only, metadata: [] };
    if (unique.length > 256) {
      const message = "RIDL has unions of at most 256 types";
      this.#types.notes.add("value", part, message, "any value is accepted");
      return anyType;
    }
    const weight = (name: string): number => {
      const fields = this.#types.structOf(name)?.body.fields ?? [];
      return fields.filter((field) => !field.isOptional).length;
    };
    const sorted = unique.toSorted((a, b) => weight(b) - weight(a));
    return {
      type: "any",
      metadata: [{ key: "oneOf", value: sorted.join("|") }],
    };
  }

  /** `anyOf: [{ enum }, { type: string }]` is an open enum. */
  #openEnum(
    view: SchemaView,
    variants: readonly DocumentPart[],
    hint: string,
  ): MappedType | null {
    const views = variants.map((part) => this.#types.view(part));
    const isText = views.every(
      (each) =>
        each.types.length === 1 &&
        each.types[0] === "string" &&
        // A union can have a type that its variants do not have.
        each.get("oneOf") === null &&
        each.get("anyOf") === null,
    );
    if (!isText || views.length < 2) return null;
    const listed = views.flatMap(
      (each) => each.get("enum") ?? each.get("const") ?? [],
    );
    const values = listed.flatMap((part) =>
      (part.text === null ? part.items() : [part]).flatMap(
        ({ text }) => text ?? [],
      ),
    );
    const unique = [...new Set(values)].filter((value) => value !== "");
    const isOpen = listed.length < views.length;
    const pattern = isOpen ? joinPatterns(views) : null;
    const metadata = views.some((each) => each.isNullable) ? [nullable] : [];
    if (pattern !== null) {
      const limit = { key: "pattern", value: pattern };
      return { type: "string", metadata: [limit, ...metadata] };
    }
    if (isOpen && !views.some(isEveryString)) {
      const message = "RIDL cannot tell these strings apart";
      const instead = "every string is accepted";
      this.#types.notes.add("value", view.part, message, instead);
    }
    if (unique.length === 0 && isOpen) return { type: "string", metadata };
    if (unique.length < new Set(values).size && !isOpen) {
      const listed = listValues([...new Set(values)], "string");
      return { ...listed, metadata: [...listed.metadata, ...metadata] };
    }
    const name = this.#types.declareAlias(view.part, `${hint}Value`, anyType);
    const declared = this.#types.find(name);
    if (declared)
      declared.body = { kind: "enum", members: nameMembers(unique) };
    if (!isOpen) return { type: name, metadata };
    const known = { key: "known", value: name };
    return { type: "string", metadata: [known, ...metadata] };
  }
}

/** Keywords that exclude some strings, or stand for another type in RIDL. */
const limits =
  "enum const format pattern minLength maxLength contentEncoding not".split(
    " ",
  );

function isEveryString(view: SchemaView): boolean {
  return limits.every((key) => view.get(key) === null);
}

/** Joins numbers to `float64` if one of them can have decimals. */
function joinNumbers(names: readonly string[]): readonly string[] {
  if (!names.some((name) => /^float\d\d$/u.test(name))) return names;
  const isNumber = (name: string): boolean =>
    /^(?:u?int\d*|float\d\d)$/u.test(name);
  const others = names.filter((name) => !isNumber(name));
  const isOnly = others.length + 1 === names.length;
  return isOnly ? names : [...others, "float64"];
}

function isNull(part: DocumentPart): boolean {
  return (
    part.textOf("type") === "null" ||
    (part.node.kind === "map" && part.get("const")?.node.kind === "null")
  );
}

/** Whether all variants only list required fields. */
function isCondition(list: DocumentPart): boolean {
  return list
    .items()
    .every((item) =>
      item.entries().every(({ key }) => key === "required" || key === "not"),
    );
}
