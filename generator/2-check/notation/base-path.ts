import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  type PathTemplate,
  parsePathTemplate,
} from "../../ir/path-template.js";
import { findHeader } from "./headers.js";

/** Adds a slash to both ends of a base path, as webrpc does: `/rpc/`. */
export function normalizeBasePath(text: string): string {
  const start = text.startsWith("/") ? "" : "/";
  const end = text.endsWith("/") ? "" : "/";
  return text === "" ? "/" : `${start}${text}${end}`;
}

/** Splits a normalized base path. The last slash is followed by the service. */
export function parseBasePath(text: string): PathTemplate {
  return { text, segments: parsePathTemplate(text).segments.slice(0, -1) };
}

const DEFAULT_BASE_PATH = "/rpc/";

/** Returns the normalized base path of an entry document. */
export function basePathOf(document: LoadedDocument): string {
  const written = findHeader(document, "basepath")?.value.text;
  return normalizeBasePath(written ?? DEFAULT_BASE_PATH);
}
