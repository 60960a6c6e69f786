/**
 * webrpc's JSON form of one schema: an entry document merged with what it
 * imports. The order of the keys is the order of the text, and of the hash.
 */
export interface SchemaJson {
  readonly webrpc: string;
  /** "" when the document has no `name`. */
  readonly name: string;
  /** As written, e.g. `v0.0.1`; "" when absent. */
  readonly version: string;
  /** With a slash at each end; `/rpc/` unless given. */
  readonly basepath: string;
  readonly types: readonly TypeJson[];
  readonly errors: readonly ErrorJson[];
  readonly services: readonly ServiceJson[];
}

/** A struct, enum or alias. */
export interface TypeJson {
  readonly kind: "enum" | "struct" | "alias";
  readonly name: string;
  /** Base of an enum, target of an alias, in RIDL without white space. */
  readonly type?: string;
  /** Absent for aliases, and when there are none. */
  readonly fields?: readonly FieldJson[];
  /** Of aliases; absent when there is none. */
  readonly meta?: readonly MetaJson[];
  /** Of structs and aliases; webrpc drops those of enums. */
  readonly comments?: readonly string[];
}

/** A field of a struct, or a member of an enum. */
export interface FieldJson {
  readonly comments?: readonly string[];
  readonly name: string;
  /** Absent for enum members. */
  readonly type?: string;
  readonly optional?: true;
  /** Of enum members: always text, e.g. `"0"`. */
  readonly value?: string;
  readonly meta?: readonly MetaJson[];
}

/** One `+ key = value` line: an object with that one key. */
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
  /** By name, in the order of the names. */
  readonly annotations: Readonly<Record<string, AnnotationJson>>;
  readonly comments: readonly string[];
  readonly succinct?: true;
  readonly streamInput?: true;
  readonly streamOutput?: true;
  readonly inputs: readonly ArgumentJson[];
  readonly outputs: readonly ArgumentJson[];
  /** Absent when the method lists none. */
  readonly errors?: readonly string[];
}

/** One annotation of a method. */
export interface AnnotationJson {
  readonly annotationType: string;
  /** "" when written without a value. */
  readonly value: string;
}

/** One input or output. */
export interface ArgumentJson {
  /** Of a succinct method: the struct's name with a small first letter. */
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}
