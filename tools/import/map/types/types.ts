import type { NoteLog } from "../../notes/note.js";
import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import type {
  MappedType,
  ModelField,
  ModelType,
  TypeBody,
} from "../../model/model.js";
import type { SchemaUses } from "./schema-uses.js";
import type { SchemaView } from "./schema-view.js";

/** A declared struct. */
export type ModelStruct = ModelType & {
  body: Extract<TypeBody, { readonly kind: "struct" }>;
};

/** A variant of a schema that others extend, and the name of its struct. */
export interface NamedVariant {
  readonly part: DocumentPart;
  readonly name: string;
}

/** What parts of the mapping need from the mapper of types. */
export interface Types {
  readonly notes: NoteLog;
  readonly library: DocumentFiles;
  readonly uses: SchemaUses;
  /**
   * Maps a schema to a type with limits. `hint` names an inline type. If `others`
   * are objects for the same value, the type is a struct with the fields of all.
   */
  map(
    part: DocumentPart,
    hint: string,
    others?: readonly DocumentPart[],
  ): MappedType;
  /** Maps a schema to a type without limits: one with limits gets a name. */
  nameOf(part: DocumentPart, hint: string): string;
  /** Maps a schema as one of its JSON types. */
  mapAs(view: SchemaView, type: string | null, hint: string): MappedType;
  view(part: DocumentPart): SchemaView;
  declareAlias(part: DocumentPart, hint: string, alias: MappedType): string;
  /** Declares a struct that the document does not contain. */
  declareStruct(
    part: DocumentPart,
    hint: string,
    fields: readonly ModelField[],
  ): string;
  /** All declared types. */
  readonly types: readonly ModelType[];
  /** Returns the declaration of a type name, if it is one. */
  find(name: string): ModelType | undefined;
  /** Returns the struct that a type name stands for, or null. */
  structOf(name: string): ModelStruct | null;
  /** Returns the variants of a schema that others extend, or null for other types. */
  variantsOf(name: string): readonly NamedVariant[] | null;
  /**
   * Returns a struct with the fields that all variants of such a schema have, or null
   * for other types.
   */
  wholeOf(name: string): string | null;
}
