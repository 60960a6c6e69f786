import type {
  Location,
  LocationLink,
  Range,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { DocumentRange, LinkTarget } from "../../service/model/results.js";
import type { Span } from "../../../../generator/source/source.js";

/** Provides the text, URI and version of each document. */
export interface ProtocolPlaces {
  /** Returns the URI of a document. `path` is its path in the project. */
  uriOf(path: string): string;
  /**
   * Returns the text of a document, which is empty if the document does not
   * exist.
   */
  textOf(path: string): TextDocument;
  /** Returns the client's version of a document, or null if it is not open. */
  versionOf(path: string): number | null;
}

/** Converts a span to lines and UTF-16 characters, both counted from 0. */
export function toRange(text: TextDocument, { start, end }: Span): Range {
  const from = text.positionAt(start);
  // Fast path: most spans are on one line.
  const written = text.getText().slice(start, end);
  const to =
    !written.includes("\n") && !written.includes("\r")
      ? { line: from.line, character: from.character + end - start }
      : text.positionAt(end);
  return { start: from, end: to };
}

/** Converts a range to offsets. */
export function toSpan(text: TextDocument, { start, end }: Range): Span {
  const from = text.offsetAt(start);
  return { start: from, end: Math.max(from, text.offsetAt(end)) };
}

/** Converts a place to a location of the protocol. */
export function toLocation(
  { path, span }: DocumentRange,
  places: ProtocolPlaces,
): Location {
  const range = toRange(places.textOf(path), span);
  return { uri: places.uriOf(path), range };
}

/** Converts the target of a name. Input: the text that contains the name. */
export function toLocationLink(
  { nameSpan, origin, path, span }: LinkTarget,
  from: TextDocument,
  places: ProtocolPlaces,
): LocationLink {
  const text = places.textOf(path);
  return {
    originSelectionRange: toRange(from, origin),
    targetUri: places.uriOf(path),
    targetRange: toRange(text, span),
    targetSelectionRange: toRange(text, nameSpan),
  };
}
