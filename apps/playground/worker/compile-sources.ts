import { selectEntries } from "../../../generator/1-parse/load/select-entries.js";
import { loadDocuments } from "../../../generator/1-parse/load/load-documents.js";
import { compileDocuments } from "../../../generator/compile-documents.js";
import type { Contract } from "../../../generator/ir/contract.js";

/** The text of each document, by path. */
export type Texts = ReadonlyMap<string, string>;

/** Compiles all documents into one contract. Returns null if it has errors. */
export function compileSources(texts: Texts): Contract | null {
  const reader = { read: (path: string) => texts.get(path) ?? null };
  const paths = [...texts.keys()];
  const documents = loadDocuments(paths, reader);
  return compileDocuments(selectEntries(paths, documents), documents).value;
}
