/** A [Standard Schema](https://standardschema.dev). */
export interface Schema<Input, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "ridlkit";
    /** Always absent. It only carries types. */
    readonly types?: { readonly input: Input; readonly output: Output };
    /** Returns a copy of a valid value in its TypeScript form. */
    readonly validate: (value: unknown) => SchemaResult<Output>;
  };
}

/** The result of a validation: a valid value, or a list of issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * An issue, e.g. `{ message: "expected a string", path: ["lines", 0, "note"]
 * }`.
 */
export interface SchemaIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** A schema for values that have different forms in JSON and in TypeScript. */
export interface ConvertingSchema<Output>
  extends Schema<InputOf<Output>, Output>, Form {}

/** A value that can have its JSON form or its TypeScript form at each level. */
export type InputOf<Output> = unknown extends Output
  ? Output
  : Output extends bigint
    ? bigint | number | string
    : Output extends Date | Uint8Array
      ? Output | string
      : Output extends (...args: never) => unknown
        ? Output
        : { [Key in keyof Output]: InputOf<Output[Key]> };

/**
 * Converts a value to its JSON form, or a valid value from its JSON form to its
 * TypeScript form. May change lists and objects in place.
 */
export interface Form {
  readonly "~turn": (value: unknown, isBack: boolean) => unknown;
}

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schemas of a type or message. */
export interface SchemaJson {
  readonly name: string;
  /** Describes the JSON that the schema accepts. */
  readonly input: JsonSchema;
  /**
   * The keywords and properties in which the output differs from `input`, or
   * null if the output is not JSON. Default: no differences.
   */
  readonly output?: JsonSchema | null;
  /** Returns the types that the JSON Schemas refer to as `#/$defs/<name>`. */
  readonly refs?: () => readonly SchemaJson[];
}

/**
 * Returns a JSON Schema of the draft `draft-2020-12` or `draft-07`. Errors:
 * TypeError for any other draft, or if the output is not JSON.
 */
export type ToJsonSchema = (options: {
  readonly target: string;
}) => Record<string, unknown>;

/** The additional members of a schema that is also a Standard JSON Schema. */
export interface WithJson extends SchemaJson {
  readonly "~standard": {
    readonly jsonSchema: {
      readonly input: ToJsonSchema;
      readonly output: ToJsonSchema;
    };
  };
}

/** A schema, along with its JSON Schemas. */
export type SchemaWithJson<T> = Schema<T> & WithJson;

/** A schema for values that have two forms, along with its JSON Schemas. */
export type ConvertingSchemaWithJson<T> = ConvertingSchema<T> & WithJson;
