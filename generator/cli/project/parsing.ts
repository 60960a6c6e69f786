import { parseDocument } from "../../1-parse/index.js";
import type { Document } from "../../1-parse/ast.js";
import type { Host } from "../../2-check/host.js";
import type { Outcome } from "../../diagnostics/diagnostic.js";

/**
 * A source of documents that parses each once, although both the choice of
 * entries and the check need it.
 */
export function createParsingHost(documents: Host): Host {
  const parsed = new Map<string, Outcome<Document>>();
  return {
    read: (path) => documents.read(path),
    parse: (source) => {
      const known = parsed.get(source.path);
      if (known !== undefined) return known;
      const outcome = parseDocument(source);
      parsed.set(source.path, outcome);
      return outcome;
    },
  };
}
