import {
  type DocumentReader,
  loadDocuments,
} from "./1-parse/load/load-documents.js";
import { compileDocuments } from "./compile-documents.js";
import type { Diagnosed } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";
import { lintContract, type LintOptions } from "./lint/index.js";
import { lintRules } from "./lint/rules/index.js";

/**
 * Turns documents into the model that emitters read: loads, checks and lowers
 * them, and runs lint rules if `lint` is given.
 *
 * Input: paths of the entry documents, one for each service host, e.g.
 * `["schema/api.ridl"]`, and a reader that supplies the documents. The contract
 * is null if a diagnostic is an error.
 */
export function compileContract(
  entries: readonly string[],
  reader: DocumentReader,
  lint: LintOptions | null = null,
): Diagnosed<Contract | null> {
  const { value, diagnostics } = compileDocuments(
    entries,
    loadDocuments(entries, reader),
    lint ? (checked) => lintContract(checked, lint, lintRules) : undefined,
    reader,
  );
  return { value, diagnostics };
}
