import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { PathSegment, PathTemplate } from "../../ir/contract.js";
import { findHeader } from "./headers.js";

const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Splits a path at its slashes. A segment `{name}` is a parameter. */
export function parsePathTemplate(text: string): PathTemplate {
  const inner = text.replace(/^\//, "").replace(/\/$/, "");
  const parts = inner === "" ? [] : inner.split("/");
  return { text, segments: parts.map(parseSegment) };
}

function parseSegment(text: string): PathSegment {
  const name = PARAMETER.exec(text)?.[1];
  return name === undefined
    ? { kind: "literal", text }
    : { kind: "parameter", name };
}

/** Adds a slash to both ends of a base path, as webrpc does: `/rpc/`. */
export function normalizeBasePath(text: string): string {
  const start = text.startsWith("/") ? "" : "/";
  const end = text.endsWith("/") ? "" : "/";
  return text === "" ? "/" : `${start}${text}${end}`;
}

const DEFAULT_BASE_PATH = "/rpc/";

/** Returns the normalized base path of an entry document. */
export function basePathOf(document: LoadedDocument): string {
  const written = findHeader(document, "basepath")?.value.text;
  return normalizeBasePath(written ?? DEFAULT_BASE_PATH);
}
