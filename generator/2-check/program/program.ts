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

/**
 * All names that one document can use. Imported names come first, followed by
 * its own.
 */
export interface Scope {
  /** All declarations without duplicates, including declarations that clash. */
  readonly types: readonly DeclaredType[];
  readonly errors: readonly DeclaredError[];
  readonly services: readonly DeclaredService[];
  /** Types by exact name. If declarations clash, the first one counts. */
  readonly typesByName: ReadonlyMap<string, DeclaredType>;
  /** Types by lower-case name, for map keys and succinct messages. */
  readonly typesByFoldedName: ReadonlyMap<string, DeclaredType>;
  readonly errorsByName: ReadonlyMap<string, DeclaredError>;
  /**
   * Whether every import was found. If not, unknown names are not reported,
   * because the missing import may declare them.
   */
  readonly isComplete: boolean;
}

/** A syntax node with its owner. */
export interface Owned<Syntax, Owner> extends Declared<Syntax> {
  readonly owner: Owner;
}

/**
 * All syntax nodes of a program by kind. A rule needs to loop over only one
 * list.
 */
export interface Nodes {
  readonly headers: readonly Declared<Header>[];
  readonly aliases: readonly Declared<AliasDeclaration>[];
  readonly enums: readonly Declared<EnumDeclaration>[];
  readonly structs: readonly Declared<StructDeclaration>[];
  readonly errors: readonly Declared<ErrorDeclaration>[];
  readonly services: readonly Declared<ServiceDeclaration>[];
  readonly members: readonly Owned<EnumMember, EnumDeclaration>[];
  readonly fields: readonly Owned<Field, StructDeclaration>[];
  readonly methods: readonly Owned<Method, ServiceDeclaration>[];
  readonly messages: readonly Owned<Message, Method>[];
  readonly arguments: readonly Owned<Argument, Message>[];
  readonly metadata: readonly Owned<Metadata, Field | AliasDeclaration>[];
  /** Every type as written, including nested types. */
  readonly typeExpressions: readonly Declared<TypeExpression>[];
}

/** A declaration that has a type. */
export type TypeOwner = Field | Argument | AliasDeclaration;

/**
 * One document given to the generator, with the services of one base address.
 */
export interface CheckedHost {
  /** Header `name`, or the base name of the document if it is absent. */
  readonly name: string;
  readonly document: LoadedDocument;
  /** The services, with imported services first. */
  readonly services: readonly DeclaredService[];
}

/**
 * All documents of a run with their names bound. Rules check the program. If
 * they find no errors, it is lowered.
 */
export interface Program {
  /**
   * The hosts in the given order. An entry that only contributes types is not a
   * host.
   */
  readonly hosts: readonly CheckedHost[];
  /**
   * All documents without duplicates, with imported documents before their
   * importers.
   */
  readonly documents: readonly LoadedDocument[];
  /** The scope of each document, by path. */
  readonly scopes: ReadonlyMap<string, Scope>;
  /** Paths that are imported by at least one document. */
  readonly importedPaths: ReadonlySet<string>;
  /** Types that the hosts can reach, in document order. */
  readonly types: readonly DeclaredType[];
  /** Errors that the hosts can reach, in document order. */
  readonly errors: readonly DeclaredError[];
  /** Every syntax node of every document, by kind. */
  readonly nodes: Nodes;
}
