import { maxVariants } from "../../../../generator/2-check/notation/unions.js";
import type { DocumentPart } from "../../read/document-part.js";
import { annotatedValues } from "./annotated-enums.js";
import { isEnumValue } from "./enum-types.js";
import { heldBy } from "./fields.js";
import { type SchemaView, viewSchema } from "./schema-view.js";
import type { Subtypes } from "./subtypes.js";
import { readTagMapping, type TagMapping } from "./tag-mapping.js";
import type { Types } from "./types.js";

/** A schema whose values are those of schemas that extend it, and maybe its own. */
export interface BaseSchema {
  readonly discriminator: DocumentPart;
  /** The name of the tag. */
  readonly wire: string;
  readonly variants: readonly BaseVariant[];
}

/** A schema that values of a base can have. */
export interface BaseVariant extends Candidate {
  /** The values of its tag. */
  readonly tags: readonly string[];
}

interface Candidate {
  readonly part: DocumentPart;
  /** The schema whose mapping names it although it need not extend it, or null. */
  readonly beside: DocumentPart | null;
}

/** Why a schema that others extend is no union. */
interface Lost {
  readonly reason: string;
}

const tooMany: Lost = { reason: `a union has at most ${maxVariants} types` };

/** A schema that may be a variant. */
interface Member {
  readonly part: DocumentPart;
  /** The name of the tag of its own discriminator, or null. */
  readonly wire: string | null;
  readonly isTagRequired: boolean;
  /** Why it cannot be a variant, or null. */
  readonly fault: string | null;
  /** The values that its tag lists, or null. */
  readonly listed: readonly string[] | null;
}

/** Finds schemas with a `discriminator` that others extend. */
export class Bases {
  readonly #types: Types;
  readonly #subtypes: Subtypes;
  readonly #canBeStruct: (view: SchemaView) => boolean;
  readonly #known = new Map<string, BaseSchema | Lost | null>();
  readonly #members = new Map<string, Member>();
  readonly #mappings = new Map<string, TagMapping>();
  readonly #noted = new Set<string>();

  constructor(
    types: Types,
    subtypes: Subtypes,
    canBeStruct: (view: SchemaView) => boolean,
  ) {
    this.#types = types;
    this.#subtypes = subtypes;
    this.#canBeStruct = canBeStruct;
  }

  /** Returns what a schema is as a base, or null if it is no union. */
  read(part: DocumentPart, view: SchemaView | null = null): BaseSchema | null {
    const found = view === null ? this.#lookUp(part) : this.#find(part, view);
    return found !== null && "variants" in found ? found : null;
  }

  /** Notes once that a struct does not have the fields of schemas that extend it. */
  noteLoss(part: DocumentPart): void {
    const found = this.#known.get(part.id);
    if (!found || "variants" in found || this.#noted.has(part.id)) return;
    this.#noted.add(part.id);
    const view = this.#view(part);
    const held = heldBy(view);
    // A struct with other members has the fields of all, and so has a map.
    if (view.properties.size === 0 || held?.isFalse === false) return;
    const message = `RIDL has no union of the schemas that extend this one: ${found.reason}`;
    const instead = "values have only its fields: declare a union by hand";
    this.#types.notes.add("wire", part, message, instead);
  }

  /** Notes that a schema without a name adds to a base, of which it is no variant. */
  noteInline(part: DocumentPart, view: SchemaView): void {
    if (view.get("discriminator") === null) return;
    const base = view.layers.find(
      (layer) => layer.id !== part.id && this.#lookUp(layer) !== null,
    );
    if (base === undefined) return;
    const message = `values can be of a schema that extends \`${this.nameOf(base)}\``;
    const instead = "they have only the fields of this one";
    this.#types.notes.add("wire", part, message, instead);
  }

  /** Returns the name of a schema in the document. */
  nameOf(part: DocumentPart): string {
    return this.#subtypes.nameOf(part) ?? part.key;
  }

  #view(part: DocumentPart): SchemaView {
    return viewSchema(part, this.#types.library, this.#types.notes);
  }

  #lookUp(part: DocumentPart): BaseSchema | Lost | null {
    const known = this.#known.get(part.id);
    return known === undefined ? this.#find(part, this.#view(part)) : known;
  }

  #find(part: DocumentPart, view: SchemaView): BaseSchema | Lost | null {
    if (view.get("discriminator") === null) return null;
    const known = this.#known.get(part.id);
    if (known !== undefined) return known;
    const found = this.#findNew(part, view);
    this.#known.set(part.id, found);
    return found;
  }

  #findNew(part: DocumentPart, view: SchemaView): BaseSchema | Lost | null {
    const discriminator = view.get("discriminator");
    if (discriminator === null || !this.#canBeStruct(view)) return null;
    const wire = discriminator.textOf("propertyName") ?? "";
    const extending = this.#subtypes.of(part, maxVariants);
    if (extending.length > maxVariants) return tooMany;
    const known = new Map([part, ...extending].map((each) => [each.id, each]));
    const all = extending.map((each): Candidate => ({
      part: each,
      beside: null,
    }));
    // A loop over a map also visits entries that are added to it.
    for (const beside of known.values()) {
      const mapping = this.#mappingOf(beside.get("discriminator"), wire);
      for (const target of mapping?.targets.values() ?? []) {
        const isOther = this.#memberOf(target, wire).wire !== wire;
        // A schema with the same tag extends another base.
        if (known.has(target.id) || !isOther) continue;
        known.set(target.id, target);
        all.push({ part: target, beside });
      }
    }
    if (all.length === 0) return null;
    if (wire === "") return { reason: "the discriminator names no property" };
    if (all.length > maxVariants) return tooMany;
    const mappings = [...known.values()]
      .flatMap((each) => each.get("discriminator") ?? [])
      .concat(view.all("discriminator"))
      .flatMap((each) => this.#mappingOf(each, wire) ?? []);
    const variants = this.#tagVariants(
      [...all, { part, beside: null }],
      part,
      wire,
      [...new Set(mappings)],
    );
    if ("reason" in variants) return variants;
    if (variants.length > maxVariants) return tooMany;
    const base = { discriminator, wire, variants };
    this.#noteTags(base, mappings);
    return base;
  }

  /** Returns the mapping of a discriminator, unless it has another tag. */
  #mappingOf(
    discriminator: DocumentPart | null,
    wire: string,
  ): TagMapping | null {
    if (discriminator?.textOf("propertyName") !== wire) return null;
    const known = this.#mappings.get(discriminator.id);
    const mapping =
      known ??
      readTagMapping(
        discriminator,
        (entry) =>
          this.#subtypes.named(entry.text ?? "") ??
          this.#types.library.find(entry),
      );
    this.#mappings.set(discriminator.id, mapping);
    return mapping;
  }

  /** Returns the variants with their tags, or why there are none. */
  #tagVariants(
    all: readonly Candidate[],
    base: DocumentPart,
    wire: string,
    mappings: readonly TagMapping[],
  ): readonly BaseVariant[] | Lost {
    const own = this.#memberOf(base, wire);
    const variants: BaseVariant[] = [];
    const taken = new Map<string, string>();
    for (const { beside, part } of all) {
      const member = this.#memberOf(part, wire);
      const name = this.nameOf(part);
      const isBase = part === base || this.#subtypes.of(part, 1).length > 0;
      if (member.fault !== null) return { reason: member.fault };
      if (isBase && member.wire !== wire) {
        return { reason: `\`${name}\` has another discriminator` };
      }
      const tags = this.#tagsOf(member, own, mappings);
      if (tags.length === 0 && isBase) continue;
      if (tags.length === 0 || !tags.every(isEnumValue)) {
        return { reason: `\`${name}\` has no value of the tag` };
      }
      for (const tag of tags) {
        const other = taken.get(tag);
        if (other !== undefined) {
          const names = `\`${other}\` and \`${name}\``;
          return { reason: `${names} have the same tag \`${tag}\`` };
        }
        taken.set(tag, name);
      }
      variants.push({ part, tags, beside });
    }
    return variants.length === 0
      ? { reason: "none of them has a value of the tag" }
      : variants;
  }

  /**
   * Returns the values of the tag of a schema: those that the document maps to it,
   * those that only its own tag lists, or its name.
   */
  #tagsOf(
    { listed, part }: Member,
    base: Member,
    mappings: readonly TagMapping[],
  ): readonly string[] {
    const isMapped = (value: string): boolean =>
      mappings.some(({ targets }) => targets.has(value));
    const isAllowed = (value: string): boolean =>
      listed === null || listed.includes(value);
    const written = part.textOf("x-ms-discriminator-value");
    const mapped = new Set([
      ...mappings.flatMap(({ tags }) => tags.get(part.id) ?? []),
      ...(written === null ? [] : [written]),
    ]);
    if (mapped.size > 0) return [...mapped].filter(isAllowed);
    const isOwn =
      listed !== null &&
      (base.listed === null || listed.length < base.listed.length);
    if (isOwn) return listed.filter((value) => !isMapped(value));
    const name = this.#subtypes.nameOf(part);
    const isAbstract = part.get("x-abstract")?.isTrue === true;
    const isNamed = name !== null && !isAbstract && !isMapped(name);
    return isNamed && isAllowed(name) ? [name] : [];
  }

  /** Notes values that are valid in the document, and are none of the union. */
  #noteTags(
    { discriminator, variants, wire }: BaseSchema,
    mappings: readonly TagMapping[],
  ): void {
    const { notes } = this.#types;
    for (const entry of mappings.flatMap(({ missing }) => missing)) {
      const message = `there is no schema for the tag \`${entry.key}\``;
      notes.add("value", entry, message, "values with it are not accepted");
    }
    const isRequired = variants.every(
      ({ part }) => this.#memberOf(part, wire).isTagRequired,
    );
    if (isRequired) return;
    const message = `the tag \`${wire}\` is not required`;
    const instead = "values without it are not accepted";
    notes.add("value", discriminator, message, instead);
  }

  /** Each schema is read once, because it can be a variant of many bases. */
  #memberOf(part: DocumentPart, wire: string): Member {
    const key = `${part.id} ${wire}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const view = this.#view(part);
    const property = view.properties.get(wire);
    const tag = property && this.#view(property);
    const isText = !tag?.types.length || tag.types.includes("string");
    const fault = !this.#canBeStruct(view)
      ? `\`${this.nameOf(part)}\` is not only an object`
      : isText
        ? null
        : `the tag \`${wire}\` is no string`;
    const listed = tag ? listedIn(tag) : null;
    const member = {
      part,
      fault,
      listed,
      wire: view.get("discriminator")?.textOf("propertyName") ?? null,
      isTagRequired: view.required.has(wire),
    };
    this.#members.set(key, member);
    return member;
  }
}

/** Returns the strings that a tag lists, or null. */
function listedIn(view: SchemaView): readonly string[] | null {
  const constant = view.get("const");
  const listed =
    view.get("enum")?.items() ??
    annotatedValues(view)?.map(({ value }) => value);
  const parts = constant === null ? listed : [constant];
  return parts ? [...new Set(parts.flatMap(({ text }) => text ?? []))] : null;
}
