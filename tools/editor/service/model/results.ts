import type { Severity } from "../../../../generator/diagnostics/diagnostic.js";
import type { Span } from "../../../../generator/source/source.js";

/** A range of a document. Offsets count UTF-16 code units from 0. */
export interface DocumentRange {
  /** Normalized path of the document, e.g. `schema/api.ridl`. */
  readonly path: string;
  readonly span: Span;
}

/** A change to a document: the text that replaces a span. */
export interface DocumentEdit extends DocumentRange {
  readonly replacement: string;
}

/** A diagnostic with paths instead of sources, so that workers can send it. */
export interface PlacedDiagnostic {
  /** Code from the catalog, e.g. `unknown-type`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /**
   * If the finding has no location, this is an empty span at the start of the
   * document.
   */
  readonly span: Span;
  readonly related: readonly RelatedNote[];
  readonly notes: readonly string[];
  readonly help?: string;
  readonly fix?: PlacedFix;
}

/** A second place that explains a diagnostic. */
export interface RelatedNote {
  readonly place: DocumentRange;
  readonly label: string;
}

/** A fix that a diagnostic offers. */
export interface PlacedFix {
  readonly edit: DocumentEdit;
  /** Whether applying the fix changes the contract. */
  readonly changesContract: boolean;
}

/** A document and its diagnostics. */
export interface DocumentDiagnostics {
  readonly path: string;
  /** Diagnostics in order of position and code. */
  readonly diagnostics: readonly PlacedDiagnostic[];
}

/** The kind of text that a completion inserts. */
export type CompletionKind =
  | "keyword"
  | "core-type"
  | "struct"
  | "enum"
  | "alias"
  | "error"
  | "service"
  | "member"
  | "field"
  | "annotation"
  | "metadata-key"
  | "value"
  | "path"
  | "helper";

/** Text that can be inserted at a position. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** One line next to the label, e.g. `struct · schema/common.ridl`. */
  readonly detail?: string;
  /** Documentation in Markdown, or an empty string. */
  readonly docs: string;
  /** The typed part of the word, which accepting the completion replaces. */
  readonly span: Span;
  /** The text to insert. `$0` marks the position of the cursor. */
  readonly text: string;
  /** Other changes, such as an import. */
  readonly edits: readonly DocumentEdit[];
  /** Completions with a smaller rank come first. */
  readonly rank: number;
  readonly isDeprecated: boolean;
}

/** Information about a word, in Markdown. */
export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

/** A place that a name leads to. */
export interface LinkTarget {
  /** The name in the request. */
  readonly origin: Span;
  readonly path: string;
  /** The whole declaration. */
  readonly span: Span;
  /** The name within it. */
  readonly nameSpan: Span;
}

/** A file that was generated from the documents. */
export interface GeneratedFile {
  /** Path below the output folder, e.g. `shop/client.ts`. */
  readonly path: string;
  readonly text: string;
}

/** A name that can be renamed. */
export interface RenameStart {
  readonly span: Span;
  readonly name: string;
}

/** The changes for a rename, or why it is refused. */
export type Rename =
  | { readonly kind: "edits"; readonly edits: readonly DocumentEdit[] }
  | { readonly kind: "refused"; readonly message: string };

/** The kind of declaration. */
export type SymbolKind =
  | "struct"
  | "enum"
  | "alias"
  | "error"
  | "service"
  | "method"
  | "field"
  | "member"
  | "argument";

/** A declaration and the declarations inside it. */
export interface DocumentSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Text after the name, e.g. `[]Order`. */
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly isDeprecated: boolean;
  readonly children: readonly DocumentSymbol[];
}

/** A declaration anywhere in the workspace. */
export interface WorkspaceSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
  readonly nameSpan: Span;
  /**
   * The containing declaration, e.g. the service of a method, or "" if there is
   * none.
   */
  readonly container: string;
}

/** The signature of the annotation or message at a position. */
export interface SignatureHelp {
  /** The signature, e.g. `GetOrder(id: uint64) => (order: Order)`. */
  readonly label: string;
  /** Documentation in Markdown. */
  readonly docs: string;
  /** Parameters, whose spans refer to the label. */
  readonly parameters: readonly SignatureParameter[];
  /** Index of the parameter at the cursor, or null if there is none. */
  readonly active: number | null;
}

/** One parameter of a signature. */
export interface SignatureParameter {
  readonly span: Span;
  /** Documentation in Markdown. */
  readonly docs: string;
}

/** Types of tokens, named as in the Language Server Protocol where possible. */
export const tokenTypes = [
  "type",
  "struct",
  "enum",
  "enumMember",
  "class",
  "method",
  "property",
  "parameter",
  "decorator",
  "event",
] as const;

/** The type of a token. */
export type TokenType = (typeof tokenTypes)[number];

/** Modifiers of tokens. */
export const tokenModifiers = [
  "declaration",
  "deprecated",
  "defaultLibrary",
] as const;

/** A modifier of a token. */
export type TokenModifier = (typeof tokenModifiers)[number];

/** A semantic token: a word of a document and what it stands for. */
export interface SemanticToken {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

/** Lines that an editor can fold. */
export interface FoldingRange {
  readonly span: Span;
  readonly kind: "comment" | "imports" | "declaration";
}

/** Text that links to another document. */
export interface DocumentLink {
  readonly span: Span;
  /** Normalized path of the other document. */
  readonly path: string;
}

/** A line that an editor shows above a declaration. */
export interface CodeLens {
  /** The name of the declaration. */
  readonly span: Span;
  /** The text of the line, e.g. `3 references`. */
  readonly title: string;
  /** The places that the title counts. */
  readonly places: readonly DocumentRange[];
}

/** Text that an editor shows within a line. */
export interface InlayHint {
  /** Position of the hint. */
  readonly offset: number;
  /** The text of the hint, e.g. `HTTP 404`. */
  readonly label: string;
  /** Explanation in Markdown. */
  readonly docs: string;
}

/** Changes that an editor offers at a place. */
export interface CodeAction {
  /** The title of the action, e.g. ``declare struct `Order` ``. */
  readonly title: string;
  readonly kind: "fix" | "extract" | "rewrite" | "organize-imports";
  readonly edits: readonly DocumentEdit[];
  /** Code of the diagnostic that the action fixes or silences. */
  readonly code?: string;
  /** Whether the action is the obvious fix. */
  readonly isPreferred: boolean;
}
