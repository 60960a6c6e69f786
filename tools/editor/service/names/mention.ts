import type {
  Annotation,
  Argument,
  EnumMember,
  ErrorDeclaration,
  Field,
  Metadata,
  Method,
  ServiceDeclaration,
  StructDeclaration,
  TypeExpression,
} from "../../../../generator/1-parse/ast.js";
import type { LoadedImport } from "../../../../generator/1-parse/load/load-documents.js";
import type {
  Declared,
  TypeSyntax,
} from "../../../../generator/2-check/program/program.js";
import type { Span } from "../../../../generator/source/source.js";

/** Syntax that declares a name. */
export type NamedSyntax =
  | TypeSyntax
  | ErrorDeclaration
  | ServiceDeclaration
  | Method
  | Field
  | EnumMember
  | Argument;

/** A named declaration and its document. */
export type NamedSymbol = Declared<NamedSyntax>;

/** The meaning of a word in its context. */
export type Meaning =
  | { readonly kind: "declaration"; readonly syntax: NamedSyntax }
  /** The name of a type. `isLoose` means that its case does not matter. */
  | { readonly kind: "type"; readonly isLoose: boolean }
  | { readonly kind: "error" }
  | { readonly kind: "import"; readonly target: LoadedImport }
  | { readonly kind: "import-member"; readonly target: LoadedImport }
  /** A credential that is named by `@auth` and declared by an alias. */
  | { readonly kind: "credential" }
  /** A field of the request that an annotation of the method names. */
  | { readonly kind: "request-field"; readonly method: Method }
  /**
   * A field of the response that an annotation of the method names, or of a
   * struct in it. `within` are the JSON names of the fields around it.
   */
  | {
      readonly kind: "body";
      readonly method: Method;
      readonly within?: readonly string[];
    }
  /** Another field of a struct, which metadata of a field names. */
  | { readonly kind: "sibling"; readonly struct: StructDeclaration }
  /** A value of an enum on the wire, in metadata of a value of this type. */
  | { readonly kind: "value"; readonly type: TypeExpression }
  | { readonly kind: "metadata-key"; readonly syntax: Metadata }
  | { readonly kind: "annotation"; readonly syntax: Annotation }
  | { readonly kind: "header-key" };

/** A word and its meaning. */
export interface Mention {
  readonly span: Span;
  readonly text: string;
  readonly meaning: Meaning;
}
