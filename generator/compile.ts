import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "./1-parse/load/load-documents.js";
import { checkContract } from "./2-check/index.js";
import { lowerContract } from "./3-lower/index.js";
import type { Diagnosed } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";
import { lintContract, type LintOptions } from "./lint/index.js";

/**
 * Turns documents into the model that emitters read: loads, checks, lowers;
 * and lints, if told how.
 *
 * Input: paths of the entry documents, one for each service host, e.g.
 * `["schema/api.ridl"]`, and where documents come from.
 * Output: the contract; null when a diagnostic is an error.
 */
export function compileContract(
  entries: readonly string[],
  reader: DocumentReader,
  lint: LintOptions | null = null,
): Diagnosed<Contract | null> {
  return compileDocuments(entries, loadDocuments(entries, reader), lint);
}

/** Like {@link compileContract}, for documents that are loaded already. */
export function compileDocuments(
  entries: readonly string[],
  documents: LoadedDocuments,
  lint: LintOptions | null = null,
): Diagnosed<Contract | null> {
  const checked = checkContract(entries, documents);
  const diagnostics = lint ? lintContract(checked, lint) : checked.diagnostics;
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  return { value: isFaulty ? null : lowerContract(checked.value), diagnostics };
}
