import type { LoadedDocuments } from "./1-parse/load/load-documents.js";
import { type CheckedContract, checkContract } from "./2-check/index.js";
import { lowerContract } from "./3-lower/index.js";
import type { Diagnosed, Diagnostic } from "./diagnostics/diagnostic.js";
import type { Contract } from "./ir/contract.js";

/** What documents came to. */
export interface CompiledDocuments extends Diagnosed<Contract | null> {
  /** The documents with their names bound, faulty or not. */
  readonly checked: CheckedContract;
}

/**
 * Checks and lowers documents that are loaded already.
 *
 * Input: `lint` turns what checking came to into diagnostics. By default, those
 * of checking stay as they are, and no lint rule is loaded.
 * Output: the contract; null when a diagnostic is an error.
 */
export function compileDocuments(
  entries: readonly string[],
  documents: LoadedDocuments,
  lint: (checked: Diagnosed<CheckedContract>) => readonly Diagnostic[] = (
    checked,
  ) => checked.diagnostics,
): CompiledDocuments {
  const checked = checkContract(entries, documents);
  const diagnostics = lint(checked);
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  return {
    value: isFaulty ? null : lowerContract(checked.value),
    diagnostics,
    checked: checked.value,
  };
}
