import type {
  DocumentSymbol,
  FoldingRange,
  FoldingRangeKind,
  SemanticTokens,
  SemanticTokensLegend,
  SymbolKind,
  SymbolTag,
  WorkspaceSymbol,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import {
  tokenModifiers,
  tokenTypes,
  type SemanticToken,
} from "../../service/model/results.js";
import type * as results from "../../service/model/results.js";
import { toLocation, toRange, type ProtocolPlaces } from "./places.js";

/** Values of `SymbolKind`. */
const symbolKinds: Readonly<Record<results.SymbolKind, SymbolKind>> = {
  struct: 23,
  enum: 10,
  alias: 26,
  error: 24,
  service: 11,
  method: 6,
  field: 8,
  member: 22,
  argument: 13,
};

/** The value of `SymbolTag.Deprecated`. */
const deprecated: SymbolTag = 1;

/** Converts a declaration and everything inside it. */
export function toDocumentSymbol(
  symbol: results.DocumentSymbol,
  text: TextDocument,
): DocumentSymbol {
  const { children, detail, isDeprecated, kind, name, nameSpan, span } = symbol;
  return {
    // The protocol does not allow an empty name.
    name: name === "" ? "?" : name,
    detail,
    kind: symbolKinds[kind],
    range: toRange(text, span),
    selectionRange: toRange(text, nameSpan),
    ...(isDeprecated && { tags: [deprecated] }),
    children: children.map((child) => toDocumentSymbol(child, text)),
  };
}

/** Converts a declaration of any document in a project. */
export function toWorkspaceSymbol(
  { container, kind, name, nameSpan, path }: results.WorkspaceSymbol,
  places: ProtocolPlaces,
): WorkspaceSymbol {
  return {
    name,
    kind: symbolKinds[kind],
    location: toLocation({ path, span: nameSpan }, places),
    ...(container !== "" && { containerName: container }),
  };
}

/** The types and modifiers that the numbers of semantic tokens stand for. */
export const tokenLegend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};

/**
 * Encodes each token as five numbers, positioned relative to the previous one.
 */
export function toSemanticTokens(
  tokens: readonly SemanticToken[],
  text: TextDocument,
): SemanticTokens {
  let before = { line: 0, character: 0 };
  const data = tokens.flatMap(({ modifiers, span, type }) => {
    const start = text.positionAt(span.start);
    const line = start.line - before.line;
    const character = start.character - (line === 0 ? before.character : 0);
    before = start;
    const bits = modifiers.map((each) => 2 ** tokenModifiers.indexOf(each));
    const sum = bits.reduce((all, bit) => all + bit, 0);
    const length = span.end - span.start;
    return [line, character, length, tokenTypes.indexOf(type), sum];
  });
  return { data };
}

/** Declarations have no kind, because they are not marked regions. */
const foldingKinds: Readonly<
  Record<results.FoldingRange["kind"], FoldingRangeKind | null>
> = {
  comment: "comment",
  imports: "imports",
  declaration: null,
};

/** Converts a range of lines that can be folded. */
export function toFoldingRange(
  { kind, span }: results.FoldingRange,
  text: TextDocument,
): FoldingRange {
  const { end, start } = toRange(text, span);
  const marked = foldingKinds[kind];
  return {
    startLine: start.line,
    endLine: end.line,
    ...(marked !== null && { kind: marked }),
  };
}
