import type { ts } from "ts-morph";
import type {
  Diagnostic,
  Severity,
} from "../../generator/diagnostics/diagnostic.js";
import type { HandledService } from "./handler-methods.js";
import type {
  ImplementPlan,
  MissingMethod,
  UnknownMember,
} from "./implement-contract.js";

/** Returns the displayed form of an absolute path. */
type Show = (path: string) => string;

/** Reports a method that an object or a class lacks. */
export function reportMissing(
  { implementation: { node, source }, method }: MissingMethod,
  show: Show,
): Diagnostic {
  const start = node.getStart();
  // An object has no name, so point to its opening brace.
  const span =
    "name" in node && node.name !== undefined
      ? { start: node.name.getStart(), end: node.name.end }
      : { start, end: start + 1 };
  return {
    code: "missing-handler-method",
    severity: "error",
    message: `method \`${method.title}\` is not implemented`,
    location: { source: sourceOf(source, show), span },
    help: "run `ridl implement`",
  };
}

/** Returns the text and the place of a syntax error. */
export function describeFault(
  { file, length, messageText, start }: ts.DiagnosticWithLocation,
  show: Show,
): Required<Pick<Diagnostic, "location">> & { readonly text: string } {
  const text =
    typeof messageText === "string" ? messageText : messageText.messageText;
  const span = { start, end: start + length };
  return { text, location: { source: sourceOf(file, show), span } };
}

/** Reports a file that has to change but has a syntax error. */
export function reportFault(
  fault: ts.DiagnosticWithLocation,
  show: Show,
): Diagnostic {
  const { location, text } = describeFault(fault, show);
  return {
    code: "invalid-handler-file",
    severity: "error",
    message: `the file of a handler cannot be read: ${text}`,
    location,
    help: "fix the file and run `ridl implement` again",
  };
}

/** Reports a member that was a method of the contract or looks like one. */
export function reportUnknown(
  { implementation, member, name }: UnknownMember,
  severity: Severity,
  show: Show,
): Diagnostic {
  const { allowed, missing, source } = implementation;
  const [method] = allowed;
  const service = method?.service.service.name ?? "";
  const { name: place = member } = member;
  const [replacement, ...others] = missing;
  const to = others.length === 0 ? replacement?.method.method.name : undefined;
  const removal =
    "heritageClauses" in implementation.node
      ? "remove it, or make it `private` if it is not called by clients"
      : "remove it";
  return {
    code: "unknown-handler-method",
    severity,
    message: `\`${name}\` is not a method of service \`${service}\``,
    location: locate(source, place, show),
    help:
      to === undefined
        ? removal
        : `${removal}; if \`${to}\` is its new name, run \`ridl implement --rename ${name}=${to}\``,
  };
}

/** Reports a service that no object or class implements. */
export function reportUnhandled(
  { host, service }: HandledService,
  severity: Severity,
): Diagnostic {
  const { name } = service.service;
  return {
    code: "missing-handler",
    severity,
    message: `service \`${name}\` of \`${host.host.document}\` has no handler`,
    help: "run `ridl implement --out <folder>` to write one",
  };
}

/**
 * Whether a project is expected to implement a service, because it implements
 * another service of the same host or no service at all. Other hosts may be
 * served elsewhere.
 */
export function isExpected(
  { host }: HandledService,
  { handledHosts }: ImplementPlan,
): boolean {
  return handledHosts.size === 0 || handledHosts.has(host);
}

function locate(
  source: ts.SourceFile,
  place: ts.Node,
  show: Show,
): Required<Diagnostic>["location"] {
  const span = { start: place.getStart(), end: place.end };
  return { source: sourceOf(source, show), span };
}

function sourceOf(
  { fileName, text }: ts.SourceFile,
  show: Show,
): Required<Diagnostic>["location"]["source"] {
  return { path: show(fileName), text };
}
