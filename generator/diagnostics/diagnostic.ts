import type { Location } from "../source/source.js";

/** The severity of a finding. An `error` makes the run fail. */
export type Severity = "error" | "warning" | "info";

/** A second location that explains a diagnostic, e.g. the first declaration. */
export interface RelatedLocation {
  readonly location: Location;
  /** Short label shown under the location, e.g. `first declared here`. */
  readonly label: string;
}

/** A change to the text that removes the cause of a diagnostic. */
export interface Fix {
  readonly location: Location;
  /** The text that replaces the location's span. */
  readonly replacement: string;
  /** Set if the fix changes the contract, so a person must approve it. */
  readonly changesContract?: true;
}

/**
 * A finding about a document or the configuration. Each cause is reported only
 * once.
 */
export interface Diagnostic {
  /** Stable kebab-case code, e.g. `duplicate-method`. */
  readonly code: string;
  readonly severity: Severity;
  /**
   * Lower case, no final period, names in backticks. Editors show the message
   * alone.
   */
  readonly message: string;
  /**
   * The smallest span that shows the problem. Absent if there is none, e.g. for
   * a missing file.
   */
  readonly location?: Location;
  readonly related?: readonly RelatedLocation[];
  /** Facts that help explain the problem. */
  readonly notes?: readonly string[];
  /** Advice on how to fix the problem, e.g. `rename one of them`. */
  readonly help?: string;
  /** An automatic fix. */
  readonly fix?: Fix;
}

/** The result of a stage: its value and its diagnostics about the input. */
export interface Diagnosed<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares diagnostics for `Array.sort`: by file, location, code and message.
 * Those without a location come first.
 */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location?.source.path ?? "", b.location?.source.path ?? "") ||
    (a.location?.span.start ?? -1) - (b.location?.span.start ?? -1) ||
    (a.location?.span.end ?? -1) - (b.location?.span.end ?? -1) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** Compares UTF-16 code units, so the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
