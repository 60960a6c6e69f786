import { normalizePath } from "../../../generator/1-parse/load/import-path.js";
import type { LoadedDocument } from "../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../generator/2-check/program/program.js";
import type { Span } from "../../../generator/source/source.js";
import { defaultLintOptions } from "../../../generator/lint/index.js";
import { findCompletions } from "./complete/find-completions.js";
import { findSignature } from "./complete/find-signature.js";
import { createCompareBase } from "./diagnose/compare-base.js";
import { rememberEach } from "../../../generator/ir/remember.js";
import {
  createDiagnosePart,
  type DiagnosePart,
  diagnoseWorkspace,
} from "./diagnose/diagnose.js";
import { formatDocument } from "./edit/format-document.js";
import { listActions } from "./edit/list-actions.js";
import { organizeImports } from "./edit/organize-imports.js";
import { renameSymbol, startRename } from "./edit/rename-symbol.js";
import { findHover } from "./hover/find-hover.js";
import type { ServiceOptions, ServiceSettings } from "./model/settings.js";
import type * as results from "./model/results.js";
import { mentionAt } from "./names/collect-mentions.js";
import { resolveMention } from "./names/resolve-mention.js";
import { findOrigin } from "./navigate/find-origin.js";
import { findReferences } from "./navigate/find-references.js";
import { findDefinition, findTypeDefinition } from "./navigate/find-targets.js";
import { listHints } from "./outline/list-hints.js";
import { listLenses } from "./outline/list-lenses.js";
import {
  listFoldingRanges,
  listLinks,
  listSelectionRanges,
} from "./outline/list-ranges.js";
import { listSymbols, searchSymbols } from "./outline/list-symbols.js";
import { listTokens } from "./outline/list-tokens.js";
import { DocumentStore } from "./workspace/document-store.js";
import type { ProgramPart, Workspace } from "./workspace/workspace.js";

/** A document and the part that it is checked with. */
interface DocumentContext {
  readonly workspace: Workspace;
  readonly part: ProgramPart;
  readonly program: Program;
  readonly document: LoadedDocument;
}

/**
 * Answers questions about open documents. Every result is plain data: paths,
 * offsets that count UTF-16 code units from 0, and text. Places in a result are
 * valid until a document changes. If a document does not exist or an offset has
 * no meaning, the result is empty. No method throws.
 */
export class LanguageService {
  readonly #store: DocumentStore;
  readonly #diagnose = createDiagnosePart();
  readonly #compare = createCompareBase();
  #settings: ServiceSettings;

  /** Reads nothing before the first question. */
  constructor({ reader, ...settings }: ServiceOptions) {
    this.#settings = {
      entries: [],
      lint: defaultLintOptions,
      timestamp: "string",
      base: null,
      ...settings,
    };
    this.#store = new DocumentStore(this.#settings.entries, reader);
  }

  /** Opens a document, or replaces the text of an open one. */
  setDocument(path: string, text: string): void {
    this.#store.set(path, text);
  }

  /** Closes a document. From then on, the reader supplies its text. */
  closeDocument(path: string): void {
    this.#store.close(path);
  }

  /**
   * Reads a closed document again, because it was changed, created, or removed.
   */
  reloadDocument(path: string): void {
    this.#store.reload(path);
  }

  /** Changes some settings. */
  configure(settings: Partial<ServiceSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    if (settings.entries) this.#store.setEntries(settings.entries);
  }

  /** Returns the diagnostics of one document. */
  diagnose(path: string): readonly results.PlacedDiagnostic[] {
    return this.#ask(path, [], (asked) => this.#diagnosticsOf(asked));
  }

  /**
   * Returns the diagnostics that depend only on a document and its imports.
   * Other documents are not parsed, so editors can show these diagnostics
   * first. {@link diagnose} returns them again.
   */
  diagnoseEarly(path: string): readonly results.PlacedDiagnostic[] {
    const part = this.#store.excerptOf(path);
    const { lint } = this.#settings;
    return this.#diagnose(part, lint).get(normalizePath(path)) ?? [];
  }

  /** Returns the diagnostics of every document, including those without any. */
  diagnoseAll(): readonly results.DocumentDiagnostics[] {
    return diagnoseWorkspace(this.#store.workspace, (part) =>
      this.#diagnose(part, this.#settings.lint),
    );
  }

  complete(path: string, offset: number): readonly results.Completion[] {
    return this.#ask(path, [], ({ workspace, program, document }) =>
      findCompletions({ workspace, program }, document, offset),
    );
  }

  hover(path: string, offset: number): results.Hover | null {
    return this.#ask(path, null, ({ part, program, document }) => {
      const { lint, timestamp } = this.#settings;
      const forms = this.#isFaulty(part)
        ? null
        : { int64: lint.int64, timestamp };
      return findHover(program, document, offset, forms);
    });
  }

  signatureHelp(path: string, offset: number): results.SignatureHelp | null {
    return this.#ask(path, null, ({ program, document }) =>
      findSignature(program, document, offset),
    );
  }

  definition(path: string, offset: number): readonly results.LinkTarget[] {
    return this.#ask(path, [], ({ program, document }) =>
      findDefinition(program, document, offset),
    );
  }

  typeDefinition(path: string, offset: number): readonly results.LinkTarget[] {
    return this.#ask(path, [], ({ program, document }) =>
      findTypeDefinition(program, document, offset),
    );
  }

  /**
   * Finds the declaration that a name in generated TypeScript comes from.
   * Returns null while the listed documents have errors.
   */
  origin(
    file: results.GeneratedFile,
    offset: number,
  ): results.LinkTarget | null {
    // The first part has the documents that the configuration lists.
    const [part] = this.#store.workspace.parts;
    if (part === undefined || this.#isFaulty(part)) return null;
    return findOrigin(part.program, file, offset);
  }

  references(
    path: string,
    offset: number,
    withDeclaration: boolean,
  ): readonly results.DocumentRange[] {
    return this.#ask(path, [], ({ workspace, program, document }) => {
      const mention = mentionAt(document, offset);
      const symbol = mention && resolveMention(program, document, mention);
      if (!symbol) return [];
      return findReferences(workspace, symbol)
        .filter(
          (each) =>
            withDeclaration || each.mention.meaning.kind !== "declaration",
        )
        .map((each) => ({ path: each.document.path, span: each.mention.span }));
    });
  }

  /** Returns the name at an offset if it can be renamed. */
  prepareRename(path: string, offset: number): results.RenameStart | null {
    return this.#ask(path, null, ({ program, document }) =>
      startRename(program, document, offset),
    );
  }

  rename(path: string, offset: number, name: string): results.Rename {
    const message = `there is no document \`${path}\``;
    const refused: results.Rename = { kind: "refused", message };
    return this.#ask(path, refused, ({ workspace, program, document }) =>
      renameSymbol(workspace, program, document, offset, name),
    );
  }

  documentSymbols(path: string): readonly results.DocumentSymbol[] {
    return this.#ask(path, [], ({ document }) => listSymbols(document));
  }

  /**
   * Finds declarations whose names contain the letters of the query in order.
   */
  workspaceSymbols(query: string): readonly results.WorkspaceSymbol[] {
    return searchSymbols(this.#store.workspace, query);
  }

  /**
   * Lists tokens in source order, without overlaps. `span` limits them to part
   * of the document.
   */
  semanticTokens(path: string, span?: Span): readonly results.SemanticToken[] {
    return this.#ask(path, [], ({ program, document }) =>
      listTokens(program, document, span),
    );
  }

  foldingRanges(path: string): readonly results.FoldingRange[] {
    return this.#ask(path, [], ({ document }) => listFoldingRanges(document));
  }

  /** Lists the spans around an offset, the smallest first. */
  selectionRanges(path: string, offset: number): readonly Span[] {
    return this.#ask(path, [], ({ document }) =>
      listSelectionRanges(document, offset),
    );
  }

  documentLinks(path: string): readonly results.DocumentLink[] {
    return this.#ask(path, [], ({ workspace, document }) =>
      listLinks(document, (each) => workspace.documentAt(each) !== null),
    );
  }

  codeLenses(path: string): readonly results.CodeLens[] {
    return this.#ask(path, [], ({ workspace, part, program, document }) => {
      const { base } = this.#settings;
      const changes =
        base === null || this.#isFaulty(part)
          ? []
          : this.#compare(program, base);
      return listLenses(workspace, document, changes);
    });
  }

  inlayHints(path: string, span: Span): readonly results.InlayHint[] {
    return this.#ask(path, [], ({ program, document }) =>
      listHints(program, document, span),
    );
  }

  /** Formats a document, or the lines of a span. */
  format(path: string, span?: Span): readonly results.DocumentEdit[] {
    return this.#ask(path, [], ({ document }) =>
      formatDocument(document, span),
    );
  }

  /** Sorts imports and, in listed documents, removes those that nothing uses. */
  organizeImports(path: string): readonly results.DocumentEdit[] {
    return this.#ask(path, [], (asked) =>
      organizeImports(asked.program, asked.document, this.#knowsUses(asked)),
    );
  }

  /** Lists the code actions for a span. */
  codeActions(path: string, span: Span): readonly results.CodeAction[] {
    return this.#ask(path, [], (asked) => {
      const { workspace, program, document } = asked;
      const diagnostics = this.#diagnosticsOf(asked);
      const findings = { diagnostics, knowsUses: this.#knowsUses(asked) };
      return listActions(workspace, program, document, span, findings);
    });
  }

  #ask<Answer>(
    path: string,
    otherwise: Answer,
    answer: (asked: DocumentContext) => Answer,
  ): Answer {
    const { workspace } = this.#store;
    const key = normalizePath(path);
    const part = workspace.partOf(key);
    const document = workspace.documentAt(key);
    if (part === null || document === null) return otherwise;
    return answer({ workspace, part, program: part.program, document });
  }

  #diagnosticsOf({
    part,
    document,
  }: DocumentContext): readonly results.PlacedDiagnostic[] {
    return this.#diagnose(part, this.#settings.lint).get(document.path) ?? [];
  }

  /**
   * Whether everything that may use the imports of a document is known. Documents
   * that the configuration does not list may be imported by other projects, and a
   * declaration that is missing because of an error may use them.
   */
  #knowsUses({ part, document }: DocumentContext): boolean {
    const isListed = this.#settings.entries.some(
      (path) => normalizePath(path) === document.path,
    );
    return isListed && !this.#isFaulty(part);
  }

  /** Whether a part has errors, which prevent generation. */
  #isFaulty(part: ProgramPart): boolean {
    return hasErrors(this.#diagnose(part, this.#settings.lint));
  }
}

const hasErrors = rememberEach((byPath: ReturnType<DiagnosePart>): boolean =>
  [...byPath.values()].some((found) =>
    found.some(({ severity }) => severity === "error"),
  ),
);
