import type {
  AliasDeclaration,
  Argument,
  EnumDeclaration,
  EnumMember,
  ErrorDeclaration,
  Field,
  Header,
  Message,
  Metadata,
  Method,
  ServiceDeclaration,
  StructDeclaration,
  TypeExpression,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";

/** A declaration of a type. */
export type TypeSyntax = AliasDeclaration | EnumDeclaration | StructDeclaration;

/** A declaration with its document. */
export interface Declared<Syntax> {
  readonly syntax: Syntax;
  readonly document: LoadedDocument;
}

/** A struct, enum or alias declaration. */
export type DeclaredType = Declared<TypeSyntax>;
/** An error declaration. */
export type DeclaredError = Declared<ErrorDeclaration>;
/** A service declaration. */
export type DeclaredService = Declared<ServiceDeclaration>;

/** Types and errors that documents declare. */
export interface Declarations {
  readonly types: readonly DeclaredType[];
  readonly errors: readonly DeclaredError[];
}

/**
 * All names that one document can use. Imported names come first, followed by
 * its own. The lists have no duplicates, but include declarations that clash.
 */
export interface Scope extends Declarations {
  /** The declarations of the document itself, in source order. */
  readonly own: Declarations;
  readonly services: readonly DeclaredService[];
  /** Types by exact name. If declarations clash, the first one counts. */
  readonly typesByName: ReadonlyMap<string, DeclaredType>;
  /** Types by lower-case name, for map keys and succinct messages. */
  readonly typesByFoldedName: ReadonlyMap<string, DeclaredType>;
  readonly errorsByName: ReadonlyMap<string, DeclaredError>;
  /** Whether every import was found. A missing one may declare any name. */
  readonly isComplete: boolean;
}

/** A syntax node with its owner. */
export interface Owned<Syntax, Owner> extends Declared<Syntax> {
  readonly owner: Owner;
}

/** The syntax nodes of a program by kind. */
export interface NodeTypes {
  readonly headers: Declared<Header>;
  readonly aliases: Declared<AliasDeclaration>;
  readonly enums: Declared<EnumDeclaration>;
  readonly structs: Declared<StructDeclaration>;
  readonly errors: Declared<ErrorDeclaration>;
  readonly services: Declared<ServiceDeclaration>;
  readonly members: Owned<EnumMember, EnumDeclaration>;
  readonly fields: Owned<Field, StructDeclaration>;
  readonly methods: Owned<Method, ServiceDeclaration>;
  readonly messages: Owned<Message, Method>;
  readonly arguments: Owned<Argument, Message>;
  readonly metadata: Owned<Metadata, TypeOwner>;
  /** Every type as written, including nested types. */
  readonly typeExpressions: Declared<TypeExpression>;
}

/**
 * All syntax nodes of a program, by kind. Each rule loops over the lists that
 * it needs.
 */
export type Nodes = {
  readonly [Kind in keyof NodeTypes]: readonly NodeTypes[Kind][];
};

/** A declaration that has a type. */
export type TypeOwner = Field | Argument | AliasDeclaration;

/** The services that one entry document provides at a base address. */
export interface CheckedHost {
  /** Header `name`, or the document's base name if there is no header. */
  readonly name: string;
  readonly document: LoadedDocument;
  /** The services, with imported services first. */
  readonly services: readonly DeclaredService[];
}

/** All documents of a run with their names bound. */
export interface Program {
  /**
   * The hosts in the given order: the entries with services, or if there are
   * none, the entries that no document imports.
   */
  readonly hosts: readonly CheckedHost[];
  /** All documents, each once, imported documents before their importers. */
  readonly documents: readonly LoadedDocument[];
  /** The scope of each document, by path. */
  readonly scopes: ReadonlyMap<string, Scope>;
  /** Paths that are imported by at least one document. */
  readonly importedPaths: ReadonlySet<string>;
  /** Types that entry documents declare or reach, in document order. */
  readonly types: readonly DeclaredType[];
  /** The same types as one list for each document. */
  readonly typesByDocument: readonly (readonly DeclaredType[])[];
  /** Errors that entry documents declare or reach, in document order. */
  readonly errors: readonly DeclaredError[];
  /** Every syntax node of every document, by kind. */
  readonly nodes: Nodes;
}
