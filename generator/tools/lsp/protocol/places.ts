import type {
  Location,
  LocationLink,
  Range,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Place, Target } from "../../../language-service/model/results.js";
import type { Span } from "../../../source/source.js";

/** Knows the texts that places point into, and what the client calls them. */
export interface ProtocolPlaces {
  /** URI of a document. Input: its path within the project. */
  uriOf(path: string): string;
  /** Text of a document; empty if it does not exist. */
  textOf(path: string): TextDocument;
  /** Version that the client has; null for a document that is not open. */
  versionOf(path: string): number | null;
}

/** A span as lines and UTF-16 characters, both counted from 0. */
export function toRange(text: TextDocument, { start, end }: Span): Range {
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

/** The offsets of a range. */
export function toSpan(text: TextDocument, { start, end }: Range): Span {
  const from = text.offsetAt(start);
  return { start: from, end: Math.max(from, text.offsetAt(end)) };
}

/** A place as the protocol has it. */
export function toLocation(
  { path, span }: Place,
  places: ProtocolPlaces,
): Location {
  const range = toRange(places.textOf(path), span);
  return { uri: places.uriOf(path), range };
}

/** Where a name leads. Input: the text that the name stands in. */
export function toLocationLink(
  { nameSpan, origin, path, span }: Target,
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
