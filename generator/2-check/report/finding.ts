import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.js";
import type { Nodes, Program } from "../program/program.js";
import { locate, type Placed } from "./locate.js";

/** A second place that explains a finding. */
export interface RelatedPlace {
  readonly at: Placed;
  readonly label: string;
  readonly document?: LoadedDocument;
}

/** What a rule reports about the node that it looks at. */
export interface NodeFinding extends Omit<
  Diagnostic,
  "code" | "severity" | "location" | "related"
> {
  /** The smallest part that shows the fault. */
  readonly at: Placed;
  /** Other places, in the same document unless they name theirs. */
  readonly related?: readonly RelatedPlace[];
  /** Of a check rule; an error unless given. */
  readonly severity?: "warning";
}

/** What a rule reports about a place in a document; its code is added to it. */
export interface Finding extends NodeFinding {
  readonly document: LoadedDocument;
}

/** Another place, in the document that `of` stands in. */
export function relate(
  { document }: Pick<Finding, "document">,
  at: Placed,
  label: string,
): RelatedPlace {
  return { document, at, label };
}

/** The diagnostic of a finding. */
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

/**
 * Creates a rule that looks at nodes one by one.
 * Input: the kinds of nodes, and a function from a node to what is wrong with
 * it: one finding, several, or nothing.
 */
export function inNodes<Kind extends keyof Nodes>(
  kinds: readonly Kind[],
  judge: (
    node: Nodes[Kind][number],
    program: Program,
  ) => NodeFinding | readonly NodeFinding[] | false | undefined,
): (program: Program) => readonly Finding[] {
  return (program) => {
    const findings: Finding[] = [];
    for (const kind of kinds) {
      for (const node of program.nodes[kind]) {
        const found = judge(node, program);
        if (!found) continue;
        const { document } = node;
        for (const each of [found].flat()) findings.push({ ...each, document });
      }
    }
    return findings;
  };
}
