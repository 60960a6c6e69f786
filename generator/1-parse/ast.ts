import type { Source, Span } from "../source/source.js";

/**
 * The syntax tree of one document. It preserves the order, comments and spans
 * of the text and contains nothing about other documents. The readers of the
 * JSON and YAML forms build the same tree.
 */
export interface Document {
  readonly kind: "document";
  readonly source: Source;
  /**
   * The items in source order. Headers, imports and declarations may be mixed.
   */
  readonly items: readonly Item[];
  /** Every comment in the document, in source order, for the formatter. */
  readonly comments: readonly Comment[];
}

/** A top-level item. */
export type Item =
  | Header
  | Import
  | ErrorDeclaration
  | EnumDeclaration
  | AliasDeclaration
  | StructDeclaration
  | ServiceDeclaration;

/** One `# …` comment line. */
export interface Comment {
  readonly kind: "comment";
  readonly span: Span;
  /** The text after `#`, as written. */
  readonly text: string;
  /**
   * Whether the comment starts with `#!`. Generated docs omit such comments.
   */
  readonly isPrivate: boolean;
  /**
   * Whether something other than white space precedes the comment on its line.
   */
  readonly isTrailing: boolean;
}

/** A piece of text with its location: a name, a value or a word. */
export interface Word {
  /** The text without quotes and with escapes resolved. */
  readonly text: string;
  readonly span: Span;
  /** Whether the text is in double quotes. */
  readonly isQuoted: boolean;
}

/**
 * The comment lines above a declaration, and the one at the end of its line.
 */
export type DocLines = readonly string[];

/** A node that can have a doc comment. */
export interface Documented {
  readonly span: Span;
  readonly docs: DocLines;
}

/** A named node that can have annotations. */
interface Declaration extends Documented {
  readonly annotations: readonly Annotation[];
  readonly name: Word;
}

/** A name with a type. */
export interface Typed {
  readonly name: Word;
  readonly isOptional: boolean;
  readonly type: TypeExpression;
}

/** `webrpc = v1`, `name = x`, `version = v1.0.0`, `basepath = /rpc`. */
export interface Header extends Documented {
  readonly kind: "header";
  readonly key: Word;
  readonly value: Word;
}

/** One imported path: the single form, or one entry of the list form. */
export interface Import extends Documented {
  readonly kind: "import";
  readonly path: Word;
  /** The names to import. An empty list means everything. */
  readonly members: readonly Word[];
}

/** `error 1000 Unauthorized "Unauthorized access" HTTP 401`. */
export interface ErrorDeclaration extends Declaration {
  readonly kind: "error";
  readonly code: Word;
  readonly message: Word;
  /** The HTTP status. Absent if the line has no `HTTP` part. */
  readonly status?: Word;
}

/** `enum Kind: uint32` with its members. */
export interface EnumDeclaration extends Declaration {
  readonly kind: "enum";
  /** The base type, e.g. `uint32` or `string`. */
  readonly base: Word;
  readonly members: readonly EnumMember[];
}

/** `- NAME` or `- NAME = value`. */
export interface EnumMember extends Documented {
  readonly kind: "enum-member";
  readonly name: Word;
  readonly value?: Word;
}

/** `type Name: T` with its metadata. */
export interface AliasDeclaration extends Declaration {
  readonly kind: "alias";
  readonly type: TypeExpression;
  readonly metadata: readonly Metadata[];
}

/** `struct Name` with its fields. */
export interface StructDeclaration extends Declaration {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}

/** `- name?: T` with its metadata. */
export interface Field extends Declaration, Typed {
  readonly kind: "field";
  readonly metadata: readonly Metadata[];
}

/** `+ key = value` under a field or an alias. */
export interface Metadata {
  readonly kind: "metadata";
  readonly span: Span;
  /** The key, including its dots: `go.tag.db`, `maxItems`. */
  readonly key: Word;
  readonly value: Word;
  /** The variants in the value of `oneOf`. */
  readonly variants?: readonly Variant[];
}

/** `Type` or `value,value:Type` in the value of `oneOf`. */
export interface Variant {
  readonly span: Span;
  /** The values of the tag that mean this variant, as written. */
  readonly values: readonly Word[];
  readonly type: TypeExpression;
}

/** `@name`, `@name:word` or `@name:"text"`. */
export interface Annotation {
  readonly kind: "annotation";
  readonly span: Span;
  /** The name without the `@`. */
  readonly name: Word;
  readonly value?: Word;
}

/** `service Name` with its methods. */
export interface ServiceDeclaration extends Declaration {
  readonly kind: "service";
  readonly methods: readonly Method[];
}

/** `- Name(…) => (…) errors A | B`, or `- proxy Name`. */
export interface Method extends Declaration {
  readonly kind: "method";
  readonly isProxy: boolean;
  readonly input: Message;
  readonly output: Message;
  /** The names after `errors`. Absent if there is no such clause. */
  readonly errors?: readonly Word[];
  /** Keys that the JSON form of the method lacks, which changes webrpc's hash. */
  readonly absent?: readonly string[];
}

/** The parenthesized input or output of a method. */
export interface Message {
  readonly kind: "message";
  /** Span of the parentheses. It is empty if the method declares no output. */
  readonly span: Span;
  readonly isStream: boolean;
  /** The one struct name of the succinct form `(Req)`. */
  readonly succinct?: Word;
  readonly arguments: readonly Argument[];
}

/** `name?: T` in an argument list. */
export interface Argument extends Typed {
  readonly kind: "argument";
  readonly span: Span;
  /** Only the JSON form can give an argument metadata. */
  readonly metadata: readonly Metadata[];
}

/** A type as written: a name, a list or a map. */
export type TypeExpression =
  | {
      readonly kind: "name";
      readonly span: Span;
      /** A core type (`string`) or a declared name. */
      readonly name: Word;
    }
  | {
      readonly kind: "list";
      readonly span: Span;
      readonly element: TypeExpression;
    }
  | {
      readonly kind: "map";
      readonly span: Span;
      readonly key: TypeExpression;
      readonly value: TypeExpression;
    };
