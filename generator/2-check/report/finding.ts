import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.js";
import type { Nodes, Program } from "../program/program.js";
import type { Location, Span } from "../../source/source.js";

/** A second location that explains a finding. */
export interface RelatedPlace {
  readonly at: Placed;
  readonly label: string;
  readonly document?: LoadedDocument;
}

/** A rule's finding about a node. */
export interface NodeFinding extends Omit<
  Diagnostic,
  "code" | "severity" | "location" | "related"
> {
  /** The smallest part that shows the problem. */
  readonly at: Placed;
  /** Other locations, in the same document unless they name another one. */
  readonly related?: readonly RelatedPlace[];
  /** Severity of a check rule's finding (default: an error). */
  readonly severity?: "warning";
}

/** A finding about a location in a document. The code is added later. */
export interface Finding extends NodeFinding {
  readonly document: LoadedDocument;
}

/** Creates a related location in the document that contains `of`. */
export function relate(
  { document }: Pick<Finding, "document">,
  at: Placed,
  label: string,
): RelatedPlace {
  return { document, at, label };
}

/** Converts a finding to a diagnostic. */
export function toDiagnostic(
  code: string,
  severity: Severity,
  { document, at, related, ...finding }: Finding,
): Diagnostic {
  return {
    code,
    severity,
    ...finding,
    location: locate(document, at),
    ...(related && {
      related: related.map((each) => ({
        location: locate(each.document ?? document, each.at),
        label: each.label,
      })),
    }),
  };
}

/** Creates a rule that examines nodes one by one. */
export function inNodes<Kind extends keyof Nodes>(
  kinds: readonly Kind[],
  examine: (
    node: Nodes[Kind][number],
    program: Program,
  ) => NodeFinding | readonly NodeFinding[] | false | undefined,
): (program: Program) => readonly Finding[] {
  return (program) => {
    const findings: Finding[] = [];
    for (const kind of kinds) {
      for (const node of program.nodes[kind]) {
        const found = examine(node, program);
        if (!found) continue;
        const { document } = node;
        for (const each of "message" in found ? [found] : found) {
          findings.push({ ...each, document });
        }
      }
    }
    return findings;
  };
}

/** Anything with a span in its document, e.g. a name. */
export interface Placed {
  readonly span: Span;
}

/** Returns the location of a syntax node. */
export function locate(document: LoadedDocument, node: Placed): Location {
  return { source: document.syntax.source, span: node.span };
}
