import type { ts } from "ts-morph";
import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import { describeFault } from "../../implement/report-findings.js";
import type { UnsupportedCode } from "./unsupported-code.js";

/** Returns the displayed form of an absolute path. */
type Show = (path: string) => string;

/** Reports code that a person has to change. */
export function reportUnclear(
  { help, message, node }: UnsupportedCode,
  show: Show,
): Diagnostic {
  const { fileName, text } = node.getSourceFile();
  const start = node.getStart();
  // Only the first line of long code is shown.
  const [line = ""] = text.slice(start, node.end).split(/\r?\n/u, 1);
  return {
    code: "unmigrated-code",
    severity: "warning",
    message,
    location: {
      source: { path: show(fileName), text },
      span: { start, end: start + line.length },
    },
    ...(help !== null && { help }),
  };
}

/** Reports a file that has to change but has a syntax error. */
export function reportSyntax(
  fault: ts.DiagnosticWithLocation,
  show: Show,
): Diagnostic {
  const { location, text } = describeFault(fault, show);
  return {
    code: "invalid-source-file",
    severity: "error",
    message: `a file with calls cannot be read: ${text}`,
    location,
    help: "fix the file and run `ridl migrate` again",
  };
}
