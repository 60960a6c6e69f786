import type { ScalarName } from "../../ir/contract.js";

/** A name: a letter or `_`, then letters, digits and `_`. */
export type Identifier = string;

/** Text that ridlkit wrote, e.g. code, which templates print as it is. */
export type Literal = string;

/** Name of a declared type. */
export interface NameView {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** A doc comment that contains text. */
export interface DocsView {
  readonly lines: readonly string[];
}

/** The text of `@deprecated`. */
export interface DeprecatedView {
  readonly hasReason: boolean;
  /** Empty if there is none. */
  readonly reason: string;
}

/** A member of a struct, or an argument. */
export interface FieldView {
  /** Name as in RIDL. */
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** Name of the property in JSON. */
  readonly jsonName: string;
  /** Whether the name in code is another one. */
  readonly isRenamed: boolean;
  readonly docs: DocsView | null;
  readonly type: ValueView;
  /** Whether it is a file, or a list of files. */
  readonly isFile: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** `isOptional` and `isNullable` in one word. */
  readonly presence: "required" | "optional" | "nullable" | "optionalNullable";
  readonly isSensitive: boolean;
  /**
   * Whether its value, or each item of a list, is text in an address or a header.
   * Otherwise, it is JSON there, such as a number.
   */
  readonly isText: boolean;
  /**
   * Whether it is a map of the members of the JSON object that no other field
   * declares, instead of a member with the name `jsonName`.
   */
  readonly isExtra: boolean;
  /**
   * Whether its value can contain the struct of the field again, other than in
   * lists and maps, so that some languages need a box for it.
   */
  readonly isRecursive: boolean;
  /** The header of an error that contains the field, or null. */
  readonly header: string | null;
  readonly deprecated: DeprecatedView | null;
  /** The field's own limits and properties, for lists in prose. */
  readonly facts: readonly FactView[];
  /** All limits, those of aliases included. */
  readonly limits: readonly LimitFactView[];
  /** The field's own limits, for code. */
  readonly checks: readonly CheckView[];
  /** The values that it lists, or null if others are allowed. */
  readonly listed: ListedView | null;
}

/** The values that are allowed. */
export interface ListedView {
  readonly values: readonly TagView[];
  /** Whether some of them have a fraction. */
  readonly hasFractions: boolean;
}

/** A limit on a value, for code. */
export type CheckView =
  NumberCheckView | FlagCheckView | PatternCheckView | FormatCheckView;

/** A limit that is a number. */
export interface NumberCheckView {
  readonly kind: "number";
  /** Name as in JSON Schema. */
  readonly name:
    | "minimum"
    | "maximum"
    | "minLength"
    | "maxLength"
    | "minItems"
    | "maxItems"
    | "minProperties"
    | "maxProperties";
  /** The number, in decimal or exponential notation. */
  readonly value: Literal;
}

/** The items of a list must differ. */
export interface FlagCheckView {
  readonly kind: "flag";
  /** Name as in JSON Schema. */
  readonly name: "uniqueItems";
}

/** A regular expression that a text must match. */
export interface PatternCheckView {
  readonly kind: "pattern";
  /** The expression as in RIDL, which is that of JavaScript with the flag `u`. */
  readonly source: string;
  /**
   * The same for engines such as RE2, or null if it contains something that
   * they do not support, e.g. a lookahead.
   */
  readonly re2: string | null;
}

/** A format that a text must have. */
export interface FormatCheckView {
  readonly kind: "format";
  readonly format: "uri";
}

/** A fact about a field. */
export type FactView =
  LimitFactView | NullableFactView | SensitiveFactView | DeprecatedFactView;

/** A limit on a value. */
export interface LimitFactView {
  readonly kind: "limit";
  /** Name as in JSON Schema, e.g. `maxLength`. */
  readonly name: Identifier;
  /** The value as text, e.g. `40`. */
  readonly value: string;
}

/** The value can be null. */
export interface NullableFactView {
  readonly kind: "nullable";
}

/** The value is never part of an error message. */
export interface SensitiveFactView {
  readonly kind: "sensitive";
}

/** The field is deprecated. */
export interface DeprecatedFactView {
  readonly kind: "deprecated";
  readonly hasReason: boolean;
  /** Empty if there is none. */
  readonly reason: string;
}

/** What a type accepts, with its aliases resolved. */
export type ValueView =
  | ScalarView
  | BytesView
  | EnumValueView
  | StructValueView
  | ListView
  | MapView
  | UnionValueView;

/** What all values have. */
interface ValueFacts {
  /** The declared type that the schema names here, or null. */
  readonly declared: NameView | null;
  /** Whether the type also allows null. For a field, `isNullable` says so. */
  readonly isNullable: boolean;
}

/** A value of a core type. */
export interface ScalarView extends ValueFacts {
  readonly kind: "scalar";
  /** The core type. */
  readonly scalar: ScalarName;
  /** Name of the enum with its known values, or null. */
  readonly known: NameView | null;
}

/** A list of bytes, which is base64 text in JSON. */
export interface BytesView extends ValueFacts {
  readonly kind: "bytes";
  /** The type of a byte, as written. */
  readonly element: ValueView;
}

/** A value of an enum. */
export interface EnumValueView extends ValueFacts {
  readonly kind: "enum";
  readonly enum: NameView;
}

/** An object with the fields of a struct. */
export interface StructValueView extends ValueFacts {
  readonly kind: "struct";
  readonly struct: NameView;
}

/** An array. */
export interface ListView extends ValueFacts {
  readonly kind: "list";
  readonly element: ValueView;
}

/** An object with any keys. */
export interface MapView extends ValueFacts {
  readonly kind: "map";
  readonly key: ValueView;
  readonly value: ValueView;
}

/** A value of one of several types. */
export interface UnionValueView extends ValueFacts {
  readonly kind: "union";
  readonly union: NameView;
}

/** A declared type. */
export type TypeView = StructView | EnumView | AliasView | UnionView;

/** A name for other types. */
export type NamedTypeView = AliasView | UnionView;

/** What all declared types have. */
interface DeclarationFacts {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  readonly docs: DocsView | null;
  /** Anchor of its heading in `api.md`. */
  readonly anchor: Literal;
}

/** An object with named fields. */
export interface StructView extends DeclarationFacts {
  readonly kind: "struct";
  readonly fields: readonly FieldView[];
  /** Whether one of the fields collects extra members. */
  readonly hasExtra: boolean;
  /** The unions of which it is a variant. */
  readonly unions: readonly NameView[];
}

/** A closed set of values. */
export interface EnumView extends DeclarationFacts {
  readonly kind: "enum";
  readonly members: readonly EnumMemberView[];
}

/** One value of an enum. */
export interface EnumMemberView {
  readonly name: string;
  /** The name in code. */
  readonly identifier: Identifier;
  /** The value in JSON. */
  readonly jsonValue: string;
  /** Whether a member before it has the same value in JSON. */
  readonly isRepeated: boolean;
  readonly docs: DocsView | null;
}

/** Another name for a type. */
export interface AliasView extends DeclarationFacts {
  readonly kind: "alias";
  /** The type that it refers to. */
  readonly type: ValueView;
  /** What error messages call the value, or null. */
  readonly title: string | null;
  /** Limits that the alias adds. */
  readonly limits: readonly LimitFactView[];
  /** The same limits, for code. */
  readonly checks: readonly CheckView[];
  /** The values that it lists, or null if others are allowed. */
  readonly listed: ListedView | null;
  /** Whether requests can also contain an integer. */
  readonly acceptsInteger: boolean;
  /** Whether null is allowed wherever the alias is used. */
  readonly isNullable: boolean;
  /** The enum with its known values, or null. */
  readonly known: NameView | null;
}

/** A value of one of several types. */
export interface UnionView extends DeclarationFacts {
  readonly kind: "union";
  readonly variants: readonly VariantView[];
  /** JSON name of the field that tells the variants apart, or null. */
  readonly tag: string | null;
  /** Whether objects with other tags are valid, too. */
  readonly isOpen: boolean;
  /** JSON names of the fields of which exactly one is present, or none. */
  readonly choice: readonly string[];
  /** What error messages call the value. */
  readonly title: string;
  /** The name in code for a type of the variants that are not known. */
  readonly unknown: Identifier;
  /** The name in code for a function that reads a value. */
  readonly parser: Identifier;
  /** Whether a variant can contain the union again, also inside lists and maps. */
  readonly isRecursive: boolean;
}

/** A variant of a union. */
export interface VariantView {
  /** The name in code of its struct, or for a type that contains its value. */
  readonly identifier: Identifier;
  /** The name in code of the variant within its union, e.g. `Circle`. */
  readonly shortIdentifier: Identifier;
  readonly isStruct: boolean;
  /**
   * Whether it can contain the union again, other than in lists and maps, so that
   * some languages need a box for it.
   */
  readonly isRecursive: boolean;
  readonly type: ValueView;
  /** The tags that mean the variant. Empty without a tag. */
  readonly tags: readonly TagView[];
  /**
   * Kinds of its JSON: `array`, `boolean`, `null`, `number`, `object` or
   * `string`.
   */
  readonly kinds: readonly Literal[];
  /**
   * JSON names of the fields whose presence shows that an object is of this
   * variant, if it is of none of those before it. Empty with a tag.
   */
  readonly marks: readonly string[];
  /** The names in `marks` of fields that can be null. */
  readonly nullableMarks: readonly string[];
}

/** A value that a tag or a listed value can have. */
export type TagView = TextTagView | NumberTagView | BooleanTagView;

/** A string. */
export interface TextTagView {
  readonly kind: "text";
  readonly text: string;
}

/** A number. */
export interface NumberTagView {
  readonly kind: "number";
  readonly number: Literal;
}

/** `true` or `false`. */
export interface BooleanTagView {
  readonly kind: "boolean";
  readonly isTrue: boolean;
}
