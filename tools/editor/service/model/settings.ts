import type { LintOptions } from "../../../../generator/lint/lint-options.js";
import type { BreakingOptions } from "../../../breaking/options.js";
import type { DocumentReader } from "../../../../generator/1-parse/load/load-documents.js";

/** Settings of a project, which can change at any time. */
export interface ServiceSettings {
  /**
   * Paths of the documents that the configuration lists. Open documents that
   * none of them imports are checked on their own.
   */
  readonly entries: readonly string[];
  readonly lint: LintOptions;
  /** The TypeScript type of timestamps, for hovers. */
  readonly timestamp: "string" | "date";
  /** The version that changes are compared with, or null if there is none. */
  readonly base: BaseContract | null;
}

/** An earlier version of the contract, e.g. the one on the main branch. */
export interface BaseContract {
  /** Paths of the documents that its configuration lists. */
  readonly entries: readonly string[];
  readonly reader: DocumentReader;
  readonly options: BreakingOptions;
}

/** Options of a new language service. */
export interface ServiceOptions extends Partial<ServiceSettings> {
  /** Supplies the text of documents that are not open. */
  readonly reader: DocumentReader;
}
