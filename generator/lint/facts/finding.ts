import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location } from "../../source/source.js";

/** What a rule reports in one place; code and severity are added to it. */
export interface Finding extends Omit<Diagnostic, "code" | "severity"> {
  readonly location: Location;
}
