import type { LoadedDocuments } from "./1-parse/load/load-documents.js";
import { type CheckedContract, checkContract } from "./2-check/index.js";
import type { EntryReader } from "./2-check/order-documents.js";
import { lowerContract } from "./3-lower/index.js";
import type { Diagnosed, Diagnostic } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";

/** The result of compiling documents. */
export interface CompiledDocuments extends Diagnosed<Contract | null> {
  /** The documents with bound names, even if they have errors. */
  readonly checked: CheckedContract;
}

/**
 * Checks and lowers documents that have been loaded.
 *
 * `lint` turns the result of checking into diagnostics. By default, only the
 * checker's diagnostics are returned, and no lint rule is loaded. The contract
 * is null if a diagnostic is an error.
 */
export function compileDocuments(
  entries: readonly string[],
  documents: LoadedDocuments,
  lint: (checked: Diagnosed<CheckedContract>) => readonly Diagnostic[] = (
    checked,
  ) => checked.diagnostics,
  reader?: EntryReader,
): CompiledDocuments {
  const checked = checkContract(entries, documents, reader);
  const diagnostics = lint(checked);
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  return {
    value: isFaulty ? null : lowerContract(checked.value),
    diagnostics,
    checked: checked.value,
  };
}
