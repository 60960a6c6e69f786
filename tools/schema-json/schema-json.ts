/**
 * webrpc's JSON form of a schema. Its hash depends on the order of the keys.
 */
export interface SchemaJson {
  readonly webrpc: string;
  /** Name of the host, or "" if the document has no `name`. */
  readonly name: string;
  /** Version as written, e.g. `v0.0.1`, or "" if absent. */
  readonly version: string;
  /**
   * With a slash at each end, e.g. `/rpc/`, or "" if the document has neither a
   * `basepath` nor services.
   */
  readonly basepath: string;
  readonly types: readonly TypeJson[];
  readonly errors: readonly ErrorJson[];
  readonly services: readonly ServiceJson[];
}

/** A struct, enum or alias. */
export interface TypeJson {
  readonly kind: "enum" | "struct" | "alias";
  readonly name: string;
  /** Base of an enum or target of an alias, in RIDL without whitespace. */
  readonly type?: string;
  /** Fields or members. Absent for aliases, and if there are none. */
  readonly fields?: readonly FieldJson[];
  /** Metadata of an alias. Absent if there is none. */
  readonly meta?: readonly MetaJson[];
  /** Comments of a struct or alias. webrpc drops the comments of enums. */
  readonly comments?: readonly string[];
}

/** A field of a struct, or a member of an enum. */
export interface FieldJson {
  readonly comments?: readonly string[];
  readonly name: string;
  /** Type of a field. Absent for enum members. */
  readonly type?: string;
  readonly optional?: true;
  /** Value of an enum member, always as text, e.g. `"0"`. */
  readonly value?: string;
  readonly meta?: readonly MetaJson[];
}

/** One `+ key = value` line as an object with that key. */
export type MetaJson = Readonly<Record<string, string>>;

/** A declared error. */
export interface ErrorJson {
  readonly code: number;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number;
}

/** A service. */
export interface ServiceJson {
  readonly name: string;
  readonly methods: readonly MethodJson[];
  readonly comments: readonly string[];
}

/** A method. */
export interface MethodJson {
  readonly name: string;
  /**
   * Annotations by name, sorted by name. webrpc prints null for what an input in
   * the JSON form lacks, such as an old schema.
   */
  readonly annotations: Readonly<Record<string, AnnotationJson>> | null;
  readonly comments: readonly string[] | null;
  readonly succinct?: true;
  readonly streamInput?: true;
  readonly streamOutput?: true;
  readonly inputs: readonly ArgumentJson[];
  readonly outputs: readonly ArgumentJson[];
  /** Names of errors. Absent if the method lists none. */
  readonly errors?: readonly string[];
}

/** One annotation of a method. */
export interface AnnotationJson {
  readonly annotationType: string;
  /** The value, or "" if the annotation has none. */
  readonly value: string;
}

/** One input or output. */
export interface ArgumentJson {
  /** For a succinct method, the struct's name with a lowercase first letter. */
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly meta?: readonly MetaJson[];
}
