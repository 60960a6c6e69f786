import { normalizePath } from "../1-parse/load/import-path.js";
import type { LoadedDocuments } from "../1-parse/load/load-documents.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type Diagnosed,
} from "../diagnostics/diagnostic.js";
import { bindProgram } from "./program/bind.js";
import { type EntryReader, orderDocuments } from "./order-documents.js";
import type { Program } from "./program/program.js";
import { toDiagnostic } from "./report/finding.js";
import { checkRules } from "./rules/index.js";

/** All documents of a contract with names bound and every rule applied. */
export type CheckedContract = Program;

/**
 * Binds and checks a contract. This is a pure function of the documents.
 *
 * Input: paths of the entry documents, one for each service host, and the
 * loaded documents. Returns all diagnostics, including the parser's, sorted by
 * document, position and code, and the checked contract, which can be lowered
 * if no diagnostic is an error.
 */
export function checkContract(
  entries: readonly string[],
  loaded: LoadedDocuments,
  reader?: EntryReader,
): Diagnosed<CheckedContract> {
  const { value: documents, diagnostics } = orderDocuments(
    entries,
    loaded,
    reader,
  );
  const program = bindProgram(entries.map(normalizePath), documents);
  const found: Diagnostic[] = [
    ...documents.flatMap((document) => document.diagnostics),
    ...diagnostics,
    ...Object.entries(checkRules).flatMap(([code, find]) =>
      find(program).map((each) => toDiagnostic(code, "error", each)),
    ),
  ];
  return { value: program, diagnostics: found.sort(compareDiagnostics) };
}
