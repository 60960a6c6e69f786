import type { LintOptions } from "../../lint/lint-options.js";
import type { BreakingOptions } from "../../breaking/options.js";
import type { DocumentReader } from "../../1-parse/load/load-documents.js";
import type { Span } from "../../source/source.js";
import type {
  CodeAction,
  CodeLens,
  Completion,
  DocumentDiagnostics,
  DocumentLink,
  DocumentSymbol,
  DocumentEdit,
  FoldingRange,
  GeneratedFile,
  Hover,
  InlayHint,
  Place,
  PlacedDiagnostic,
  Rename,
  RenameStart,
  SemanticToken,
  SignatureHelp,
  Target,
  WorkspaceSymbol,
} from "./results.js";

/** Settings of a project, which can change at any time. */
export interface ServiceSettings {
  /**
   * Paths of the documents that the configuration lists. Open documents that
   * none of them imports are checked on their own.
   */
  readonly entries: readonly string[];
  readonly lint: LintOptions;
  /** The TypeScript type of timestamps, for hovers. */
  readonly timestamp: "string" | "date";
  /** The version that changes are compared with, or null if there is none. */
  readonly base: BaseContract | null;
}

/** An earlier version of the contract, e.g. the one on the main branch. */
export interface BaseContract {
  /** Paths of the documents that its configuration lists. */
  readonly entries: readonly string[];
  readonly reader: DocumentReader;
  readonly options: BreakingOptions;
}

/** Options of a new language service. */
export interface ServiceOptions extends Partial<ServiceSettings> {
  /** Supplies the text of documents that are not open. */
  readonly reader: DocumentReader;
}

/**
 * Answers questions about open documents. Every result is plain data: paths,
 * offsets that count UTF-16 code units from 0, and text. Places in a result are
 * valid until a document changes. If a document does not exist or an offset has
 * no meaning, the result is empty. No method throws.
 */
export interface LanguageService {
  /** Opens a document, or replaces the text of an open one. */
  setDocument(path: string, text: string): void;
  /** Closes a document. From then on, the reader supplies its text. */
  closeDocument(path: string): void;
  /**
   * Reads a closed document again, because it was changed, created, or removed.
   */
  reloadDocument(path: string): void;
  /** Changes some settings. */
  configure(settings: Partial<ServiceSettings>): void;

  /** Returns the diagnostics of one document. */
  diagnose(path: string): readonly PlacedDiagnostic[];
  /**
   * Returns the diagnostics that depend only on a document and its imports.
   * Other documents are not parsed, so editors can show these diagnostics
   * first. {@link diagnose} returns them again.
   */
  diagnoseEarly(path: string): readonly PlacedDiagnostic[];
  /** Returns the diagnostics of every document, including those without any. */
  diagnoseAll(): readonly DocumentDiagnostics[];

  complete(path: string, offset: number): readonly Completion[];
  hover(path: string, offset: number): Hover | null;
  signatureHelp(path: string, offset: number): SignatureHelp | null;

  definition(path: string, offset: number): readonly Target[];
  typeDefinition(path: string, offset: number): readonly Target[];
  /**
   * Finds the declaration that a name in generated TypeScript comes from.
   * Returns null while the listed documents have errors.
   */
  origin(file: GeneratedFile, offset: number): Target | null;
  references(
    path: string,
    offset: number,
    withDeclaration: boolean,
  ): readonly Place[];
  /** Returns the name at an offset if it can be renamed. */
  prepareRename(path: string, offset: number): RenameStart | null;
  rename(path: string, offset: number, name: string): Rename;

  documentSymbols(path: string): readonly DocumentSymbol[];
  /**
   * Finds declarations whose names contain the letters of the query in order.
   */
  workspaceSymbols(query: string): readonly WorkspaceSymbol[];
  /**
   * Lists tokens in source order, without overlaps. `span` limits them to part
   * of the document.
   */
  semanticTokens(path: string, span?: Span): readonly SemanticToken[];
  foldingRanges(path: string): readonly FoldingRange[];
  /** Lists the spans around an offset, the smallest first. */
  selectionRanges(path: string, offset: number): readonly Span[];
  documentLinks(path: string): readonly DocumentLink[];
  codeLenses(path: string): readonly CodeLens[];
  inlayHints(path: string, span: Span): readonly InlayHint[];

  /** Formats a document, or the lines of a span. */
  format(path: string, span?: Span): readonly DocumentEdit[];
  /** Sorts imports and removes those that nothing uses. */
  organizeImports(path: string): readonly DocumentEdit[];
  /** Lists the code actions for a span. */
  codeActions(path: string, span: Span): readonly CodeAction[];
}
