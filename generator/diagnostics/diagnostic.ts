import type { Location } from "../source/source.js";

/** How bad a finding is; `error` makes the run fail. */
export type Severity = "error" | "warning" | "info";

/** A second place that explains a diagnostic, e.g. the first declaration. */
export interface RelatedLocation {
  readonly location: Location;
  /** Short label shown under the place, e.g. `first declared here`. */
  readonly label: string;
}

/** A change of the text that would remove the cause of a diagnostic. */
export interface Fix {
  readonly location: Location;
  /** The text to put in the place of the location's span. */
  readonly replacement: string;
  /** Set when applying it changes the contract: a person has to want that. */
  readonly changesContract?: true;
}

/** One finding about a document or the configuration: one cause, one diagnostic. */
export interface Diagnostic {
  /** Stable kebab-case code, e.g. `duplicate-method`; a key of the catalogue. */
  readonly code: string;
  readonly severity: Severity;
  /** Lower case, no final stop, names in backticks; stands alone in an editor. */
  readonly message: string;
  /** The smallest place that shows the fault; absent for a missing file and the like. */
  readonly location?: Location;
  /** Label under the place itself, when the message alone is not enough. */
  readonly label?: string;
  readonly related?: readonly RelatedLocation[];
  /** Facts that help to understand. */
  readonly notes?: readonly string[];
  /** The way out, e.g. `rename one of them`. */
  readonly help?: string;
  /** An automatic repair. */
  readonly fix?: Fix;
}

/** What every stage returns: its value and all that it has to say about the input. */
export interface Diagnosed<Value> {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}
