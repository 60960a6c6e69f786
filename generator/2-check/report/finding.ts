import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location } from "../../source/source.js";
import type { Declared, Nodes, Program } from "../program/program.js";
import { type Details, locate, type Placed } from "./report.js";

/** What a rule reports at one place; its code is added to it. */
export interface Finding extends Omit<Diagnostic, "code" | "severity"> {
  readonly location: Location;
  /** Of a rule of this stage; an error unless given. */
  readonly severity?: "warning";
}

/** A finding that makes the run fail. */
export function errorAt(
  location: Location,
  message: string,
  details: Details = {},
): Finding {
  return { location, message, ...details };
}

/** A finding about something that works, but hardly as meant. */
export function warningAt(
  location: Location,
  message: string,
  details: Details = {},
): Finding {
  return { location, message, severity: "warning", ...details };
}

/** A finding in the document of the node that a rule looks at. */
export interface NodeFinding extends Omit<Finding, "location"> {
  readonly at: Placed;
}

/**
 * Creates a rule that looks at nodes one by one.
 * Input: where they are listed, and what is wrong with a node; false if nothing
 * is.
 */
export function inNodes<Node extends Declared<unknown>>(
  list: (nodes: Nodes) => readonly Node[],
  judge: (node: Node, program: Program) => NodeFinding | false,
): (program: Program) => readonly Finding[] {
  return (program) =>
    list(program.nodes).flatMap((node) => {
      const found = judge(node, program);
      if (!found) return [];
      const { at, ...finding } = found;
      return [{ ...finding, location: locate(node.document, at) }];
    });
}
