import {
  type DocumentReader,
  loadDocuments,
} from "../../generator/1-parse/load/load-documents.js";
import {
  checkContract,
  type CheckedContract,
} from "../../generator/2-check/index.js";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";

/** Loads and checks documents. */
export function checkDocuments(
  entries: readonly string[],
  reader: DocumentReader,
): Diagnosed<CheckedContract> {
  return checkContract(entries, loadDocuments(entries, reader));
}
