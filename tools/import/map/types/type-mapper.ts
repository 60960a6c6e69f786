import { noteKeywords } from "../../notes/note-keywords.js";
import type { NoteLog } from "../../notes/note.js";
import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import { annotatedValues, describeValues } from "./annotated-enums.js";
import { mapEnum } from "./enum-types.js";
import { BaseUnions } from "./base-unions.js";
import { Bases } from "./bases.js";
import { mapFields } from "./fields.js";
import type {
  MappedType,
  ModelField,
  ModelType,
  TypeBody,
} from "../../model/model.js";
import { noteHidden, noteUntyped } from "./note-hidden.js";
import { NameScope, toSingular, toTypeName } from "../../model/names.js";
import {
  countLimit,
  mapNumber,
  mapString,
  patternFormats,
} from "./scalar-types.js";
import { followReference, referenceOf, singleReference } from "./references.js";
import { SchemaUses } from "./schema-uses.js";
import { isNullableCopy, Subtypes } from "./subtypes.js";
import { VariantTagger } from "./tags.js";
import { type SchemaView, viewSchema } from "./schema-view.js";
import { toComment } from "../../model/comments.js";
import type { ModelStruct, NamedVariant, Types } from "./types.js";
import { Unfinished } from "./unfinished.js";
import { UnionMapper } from "./unions.js";

const anyType: MappedType = { type: "any", metadata: [] };
const nullable = { key: "nullable", value: "true" };

/** Deeper inline schemas become `any`, because RIDL limits nesting. */
const maxDepth = 40;

/** Maps schemas to RIDL types, and declares those that need a name. */
export class TypeMapper implements Types {
  readonly types: ModelType[] = [];
  readonly names = new NameScope();
  readonly notes: NoteLog;
  readonly library: DocumentFiles;
  readonly uses: SchemaUses;
  /** The names of declared schemas by their places. */
  readonly #declared = new Map<string, string>();
  readonly #byName = new Map<string, ModelType>();
  /** The names that shared schemas get, by their places. */
  readonly #reserved = new Map<string, string>();
  readonly #nullable = new Set<string>();
  readonly #formats = new Map<string, string>();
  readonly #unions: UnionMapper;
  readonly #tagger = new VariantTagger(this);
  readonly #unfinished = new Unfinished();
  #bases: Bases;
  #baseUnions: BaseUnions;
  #depth = 0;

  constructor(document: DocumentPart, library: DocumentFiles, notes: NoteLog) {
    this.library = library;
    const variantsOf = (schema: DocumentPart): readonly DocumentPart[] =>
      this.#bases.read(schema)?.variants.map(({ part }) => part) ?? [];
    this.uses = new SchemaUses(document, library, variantsOf);
    this.notes = notes;
    this.#unions = new UnionMapper(this, this.#tagger);
    [this.#bases, this.#baseUnions] = this.#findBases([]);
  }

  /** Returns the declaration of a type name, if it is one. */
  find(name: string): ModelType | undefined {
    return this.#byName.get(name);
  }

  /** Returns the struct that a type name stands for, or null. */
  structOf(name: string): ModelStruct | null {
    const type = this.find(name);
    return type !== undefined && isStruct(type) ? type : null;
  }

  /** Creates the view of a schema, and of others for the same value. */
  view(part: DocumentPart, others: readonly DocumentPart[] = []): SchemaView {
    const view = viewSchema(part, this.library, this.notes, others);
    for (const layer of view.layers) noteKeywords(layer, "schema", this.notes);
    if (view.layers.length > 1) noteHidden(view, this.library, this.notes);
    return view;
  }

  /**
   * Maps a schema to a type with limits. `hint` names an inline type. If `others`
   * are objects for the same value, the type is a struct with the fields of all.
   */
  map(
    part: DocumentPart,
    hint: string,
    others: readonly DocumentPart[] = [],
  ): MappedType {
    if (this.#depth >= maxDepth) {
      const message = "the schema is nested too deeply for RIDL";
      this.notes.add("value", part, message, "any value is accepted");
      return anyType;
    }
    this.#depth += 1;
    const mapped =
      others.length > 0
        ? this.#struct(this.view(part, others), hint)
        : this.#map(part, hint);
    this.#depth -= 1;
    return mapped;
  }

  #map(part: DocumentPart, hint: string): MappedType {
    if (part.node.kind !== "map") return this.#mapBoolean(part);
    const reference = referenceOf(part);
    if (reference !== null) return this.#mapReference(reference, part, hint);
    const view = this.view(part);
    if (this.#bases.read(part, view) !== null) {
      const type = this.declare(part, hint);
      return this.#withNull({ type, metadata: [] }, view.isNullable);
    }
    const kind = this.#kindOf(view);
    if (kind === "struct") {
      this.#bases.noteLoss(part);
      this.#bases.noteInline(part, view);
      return this.#withNull(this.#struct(view, hint), view.isNullable);
    }
    if (this.#isWaiting(view)) {
      const type = this.#add(part, hint);
      this.#unfinished.wait(type.name, () => {
        type.body = this.#other(view, hint, true);
      });
      return this.#withNull({ type: type.name, metadata: [] }, view.isNullable);
    }
    const body = this.#other(view, hint, false);
    if (body.kind !== "alias") {
      const type = this.#add(part, hint);
      type.body = body;
      return this.#withNull({ type: type.name, metadata: [] }, view.isNullable);
    }
    return this.#withNull(body, view.isNullable);
  }

  #mapBoolean(part: DocumentPart): MappedType {
    if (!part.isTrue) {
      const message = "this is not a schema with values";
      this.notes.add("value", part, message, "any value is accepted");
    }
    return anyType;
  }

  /** Maps a schema to a type without limits: one with limits gets a name. */
  nameOf(part: DocumentPart, hint: string): string {
    const { type, metadata } = this.map(part, hint);
    return metadata.length === 0
      ? type
      : this.declareAlias(part, hint, { type, metadata });
  }

  /** Keeps the names of shared schemas, so that no inline type takes them. */
  reserve(schemas: readonly DocumentPart[]): void {
    [this.#bases, this.#baseUnions] = this.#findBases(schemas);
    const isName = ({ key }: DocumentPart): boolean =>
      toTypeName(key, "Type") === key;
    const valid = schemas.filter(isName);
    for (const part of [...valid, ...schemas.filter((each) => !isName(each))]) {
      this.#reserved.set(
        part.id,
        this.names.take(toTypeName(part.key, "Type")),
      );
    }
  }

  #findBases(shared: readonly DocumentPart[]): [Bases, BaseUnions] {
    const subtypes = new Subtypes(this.library, shared);
    const bases = new Bases(this, subtypes, (view) => this.#canBeObject(view));
    const tagger = this.#tagger;
    return [bases, new BaseUnions(this, bases, tagger, this.#unfinished)];
  }

  /** Returns the variants of a schema that others extend, or null for other types. */
  variantsOf(name: string): readonly NamedVariant[] | null {
    return this.#baseUnions.variantsOf(name);
  }

  /**
   * Returns a struct with the fields that all variants of such a schema have, or null
   * for other types.
   */
  wholeOf(name: string): string | null {
    return this.#baseUnions.wholeOf(name);
  }

  /** Declares an alias. */
  declareAlias(part: DocumentPart, hint: string, alias: MappedType): string {
    const declared = this.#add(part, hint);
    declared.body = { kind: "alias", ...alias };
    return declared.name;
  }

  /** Declares a struct that the document does not contain. */
  declareStruct(
    part: DocumentPart,
    hint: string,
    fields: readonly ModelField[],
  ): string {
    const declared = this.#add(part, hint);
    declared.body = { kind: "struct", fields };
    return declared.name;
  }

  /** Declares the schema at a place once, and returns its name. */
  declare(target: DocumentPart, hint: string): string {
    const known = this.#declared.get(target.id);
    if (known !== undefined) return known;
    const reserved = this.#reserved.get(target.id);
    const type = this.#add(
      target,
      target.isSharedSchema ? target.key : hint,
      reserved,
    );
    this.#declared.set(target.id, type.name);
    const view = this.view(target);
    type.docs = toComment(view.textOf("description") ?? view.textOf("title"));
    this.#define(type, view);
    return type.name;
  }

  /** Maps the schema of a declared type, or lets it wait for the fields of others. */
  #define(type: ModelType, view: SchemaView): void {
    const { name, part } = type;
    const base = this.#bases.read(part, view);
    if (this.#isCopyOfBase(part)) {
      this.#setBody(type, view);
    } else if (base !== null) {
      const finish = (mapped: MappedType): void => {
        type.body = {
          kind: "alias",
          ...this.#withNull(mapped, view.isNullable),
        };
      };
      this.#baseUnions.map(type, base, finish);
    } else if (this.#kindOf(view) === "struct") {
      if (view.isNullable) this.#nullable.add(name);
      this.#unfinished.during(name, () => {
        type.body = { kind: "struct", fields: mapFields(view, name, this) };
      });
    } else if (this.#isWaiting(view)) {
      this.#unfinished.wait(name, () => this.#setBody(type, view));
    } else this.#setBody(type, view);
  }

  /** Whether a schema only adds null to one that others extend. */
  #isCopyOfBase(part: DocumentPart): boolean {
    const single = isNullableCopy(part) ? singleReference(part) : null;
    const copied = single && followReference(single, this.library)?.target;
    return !!copied && this.#bases.read(copied) !== null;
  }

  /** Returns the name of a variant, which may contain a struct being mapped. */
  #declareVariant(target: DocumentPart): string | undefined {
    const known = this.#declared.get(target.id);
    const isObject = (target.get("allOf") ?? target.get("properties")) !== null;
    const mayWait =
      this.#unfinished.isBusy && target.isSharedSchema && isObject;
    return known === undefined && mayWait
      ? this.declare(target, target.key)
      : known;
  }

  /** Whether a schema is a union of structs whose fields are not known yet. */
  #isWaiting(view: SchemaView): boolean {
    return this.#unions.hasVariant(view, (part) => {
      const reference = referenceOf(part);
      const followed = reference && followReference(reference, this.library);
      const name = followed && this.#declareVariant(followed.target);
      return !!name && this.#unfinished.has(name);
    });
  }

  #setBody(type: ModelType, view: SchemaView): void {
    type.body = this.#aliasBody(view, type.name);
    const isAlias = type.body.kind === "alias";
    const values = isAlias && isListing(view) ? annotatedValues(view) : null;
    type.docs = [...type.docs, ...describeValues(values ?? [])];
    if (view.isNullable && !isAlias) this.#nullable.add(type.name);
  }

  #aliasBody(view: SchemaView, name: string): TypeBody {
    const single = singleReference(view.part);
    const body: TypeBody =
      single === null
        ? this.#other(view, name, true)
        : { kind: "alias", ...this.map(single, name) };
    if (body.kind !== "alias") return body;
    return { kind: "alias", ...this.#withNull(body, view.isNullable) };
  }

  #add(
    part: DocumentPart,
    hint: string,
    name = this.names.take(toTypeName(hint, "Type")),
  ): ModelType {
    const type: ModelType = {
      name,
      part,
      docs: [],
      body: { kind: "alias", ...anyType },
    };
    this.types.push(type);
    this.#byName.set(name, type);
    return type;
  }

  #mapReference(
    reference: DocumentPart,
    part: DocumentPart,
    hint: string,
  ): MappedType {
    if (reference !== part) {
      const inner = this.map(reference, hint);
      return this.#withNull(inner, part.get("nullable")?.isTrue === true);
    }
    const followed = followReference(part, this.library);
    if (followed === null) return anyType;
    const { hops, target } = followed;
    if (target.node.kind !== "map") return this.#mapBoolean(target);
    const name = this.declare(target, hint);
    this.#bases.noteLoss(target);
    const isNullable =
      hops.some((each) => each.get("nullable")?.isTrue === true) ||
      this.#nullable.has(name);
    return this.#withNull({ type: name, metadata: [] }, isNullable);
  }

  #withNull(mapped: MappedType, isNullable: boolean): MappedType {
    const isDone =
      !isNullable ||
      (mapped.type === "any" && mapped.metadata.length === 0) ||
      mapped.type === "null" ||
      mapped.metadata.some(({ key }) => key === "nullable");
    return isDone
      ? mapped
      : { ...mapped, metadata: [...mapped.metadata, nullable] };
  }

  #kindOf(view: SchemaView): "struct" | "other" {
    const [type] = view.types;
    const closed = view.get("additionalProperties")?.isFalse === true;
    const hasFields =
      view.properties.size > 0 ||
      (type === "object" && (view.required.size > 0 || closed));
    return hasFields && this.#canBeObject(view) ? "struct" : "other";
  }

  /** Whether a schema has no other values than objects, and no variants. */
  #canBeObject(view: SchemaView): boolean {
    const [type = "object", ...others] = view.types;
    const isObject = type === "object" && others.length === 0;
    return isObject && !this.#unions.isUnion(view) && !isListing(view);
  }

  #other(view: SchemaView, hint: string, isNamed: boolean): TypeBody {
    if (isListing(view)) {
      return mapEnum(view, isNamed, this.notes);
    }
    if (this.#unions.isUnion(view))
      return this.#unions.map(view, hint, isNamed);
    const type = view.types[0] ?? inferType(view);
    if (type === null) noteUntyped(view, this.notes);
    return { kind: "alias", ...this.mapAs(view, type, hint) };
  }

  /** Maps a schema as one of its JSON types. */
  mapAs(view: SchemaView, type: string | null, hint: string): MappedType {
    switch (type) {
      case "string":
        return mapString(view, this.notes, (name) =>
          this.#format(name, view.part),
        );
      case "integer":
      case "number":
        return mapNumber(view, this.notes);
      case "boolean":
        return { type: "bool", metadata: [] };
      case "array":
        return this.#list(view, hint);
      case "object":
        return this.#object(view, hint);
      case null:
        return anyType;
    }
    const message = `\`${type}\` is not a type of JSON Schema`;
    this.notes.add("value", view.part, message, "any value is accepted");
    return anyType;
  }

  #struct(view: SchemaView, hint: string): MappedType {
    const type = this.#add(view.part, hint);
    type.body = { kind: "struct", fields: mapFields(view, type.name, this) };
    return { type: type.name, metadata: [] };
  }

  #object(view: SchemaView, hint: string): MappedType {
    if (view.properties.size > 0) return this.#struct(view, hint);
    const values = view.get("additionalProperties");
    const value =
      values === null || values.node.kind !== "map"
        ? "any"
        : this.nameOf(values, `${hint}Value`);
    return {
      type: `map<string,${value}>`,
      metadata: [
        ...countLimit(view, "minProperties"),
        ...countLimit(view, "maxProperties"),
      ],
    };
  }

  #list(view: SchemaView, hint: string): MappedType {
    const items = view.get("items");
    const singular = toSingular(hint);
    const itemHint = singular === hint ? `${hint}Item` : singular;
    const written = items === null ? "any" : this.nameOf(items, itemHint);
    // A list of bytes is base64 in RIDL.
    const isBytes = written === "uint8";
    const item = isBytes ? "uint16" : written;
    if (isBytes && items !== null) {
      const message = "a list of `uint8` is base64 text in RIDL";
      this.notes.add("value", items, message, "the items are `uint16`");
    }
    const isUnique = view.get("uniqueItems")?.isTrue === true;
    return {
      type: `[]${item}`,
      metadata: [
        ...countLimit(view, "minItems"),
        ...countLimit(view, "maxItems"),
        ...(isUnique ? [{ key: "uniqueItems", value: "true" }] : []),
      ],
    };
  }

  #format(format: string, part: DocumentPart): string {
    const known = this.#formats.get(format);
    if (known !== undefined) return known;
    const {
      name = "Text",
      pattern = "",
      title = "",
    } = patternFormats.get(format) ?? {};
    const declared = this.declareAlias(part, name, {
      type: "string",
      metadata: [
        { key: "pattern", value: pattern },
        { key: "title", value: title },
      ],
    });
    this.#formats.set(format, declared);
    return declared;
  }
}

/** Whether a schema lists its values. */
function isListing(view: SchemaView): boolean {
  return (
    view.get("enum") !== null ||
    view.get("const") !== null ||
    annotatedValues(view) !== null
  );
}

function isStruct(type: ModelType): type is ModelStruct {
  return type.body.kind === "struct";
}

function inferType(view: SchemaView): string | null {
  if (view.get("items")?.node.kind === "map") return "array";
  if (view.get("additionalProperties") !== null) return "object";
  return null;
}
