import { parseDocument } from "../../1-parse/index.js";
import type { Document } from "../../1-parse/ast.js";
import type { Host } from "../../2-check/host.js";
import type { Outcome } from "../../diagnostics/diagnostic.js";
import type { Source } from "../../source/source.js";

/** A source of documents that remembers what came of parsing them. */
export interface ParsingHost extends Host {
  parse(source: Source): Outcome<Document>;
  /** Every document that was parsed, by its path. */
  readonly documents: ReadonlyMap<string, Document>;
}

/**
 * A source of documents that parses each once, although both the choice of
 * entries and the check need it.
 */
export function createParsingHost(documents: Host): ParsingHost {
  const parsed = new Map<string, Outcome<Document>>();
  const values = new Map<string, Document>();
  return {
    documents: values,
    read: (path) => documents.read(path),
    parse: (source) => {
      const known = parsed.get(source.path);
      if (known !== undefined) return known;
      const outcome = parseDocument(source);
      parsed.set(source.path, outcome);
      values.set(source.path, outcome.value);
      return outcome;
    },
  };
}
