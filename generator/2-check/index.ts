import { compareDiagnostics } from "../diagnostics/compare.js";
import type { Diagnostic, Outcome } from "../diagnostics/diagnostic.js";
import { bindProgram } from "./bind.js";
import type { Host } from "./host.js";
import { loadDocuments } from "./imports/load.js";
import { normalizePath } from "./imports/path.js";
import type { Program } from "./program.js";
import { rules } from "./rules/index.js";

export type { Host } from "./host.js";

/** All documents of a contract with names bound and every rule applied. */
export type CheckedContract = Program;

/**
 * Reads, binds and checks a contract.
 * Input: paths of the entry documents, one for each service host, and where
 * documents come from. Output: what can be lowered if no diagnostic is an
 * error; diagnostics by document, position and code.
 */
export function checkContract(
  entries: readonly string[],
  host: Host,
): Outcome<CheckedContract> {
  const loaded = loadDocuments(entries, host);
  const program = bindProgram(entries.map(normalizePath), loaded.value);
  const diagnostics: Diagnostic[] = [
    ...loaded.diagnostics,
    ...rules.flatMap((rule) => rule(program)),
  ];
  return { value: program, diagnostics: diagnostics.sort(compareDiagnostics) };
}
