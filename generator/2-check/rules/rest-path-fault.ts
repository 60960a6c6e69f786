import type { PathTemplate } from "../../ir/contract.js";
import { scalars } from "../../ir/scalars.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { parametersOf } from "../notation/path-template.js";
import type { Program } from "../program/program.js";
import type { NodeFinding } from "../report/finding.js";
import { resolveType, type ResolvedType } from "../program/resolve-type.js";
import type { RestRead } from "../program/rest-reads.js";

/** JSON types that a path segment can represent. */
const segmentWires: ReadonlySet<string> = new Set([
  "boolean",
  "number",
  "string",
]);

/** A problem with a path. */
export type PathFault = Pick<NodeFinding, "message" | "notes" | "help">;

/**
 * Finds the first problem of a REST read's path. Returns null if there is none.
 */
export function findPathFault(
  read: RestRead,
  program: Program,
): PathFault | null {
  const message = findShapeFault(read.path);
  return message === null ? findParameterFault(read, program) : { message };
}

function findShapeFault({ text, segments }: PathTemplate): string | null {
  if (!text.startsWith("/")) return "the path of `@get` must begin with `/`";
  for (const segment of segments) {
    if (segment.kind === "parameter") continue;
    if (segment.text === "") return "the path of `@get` has an empty segment";
    if (/[{}]/.test(segment.text)) {
      return `\`${segment.text}\` is not a parameter: \`{name}\` must be a whole segment`;
    }
    if (!/^[A-Za-z0-9._~-]+$/.test(segment.text)) {
      return `\`${segment.text}\` cannot be a path segment`;
    }
  }
  return null;
}

function findParameterFault(
  read: RestRead,
  program: Program,
): PathFault | null {
  const names = parametersOf(read.path);
  const [twice] = findDuplicates(names, (name) => name);
  if (twice) {
    return { message: `the path has the parameter \`${twice.again}\` twice` };
  }
  const faults = names.map((name) => findFieldFault(name, read, program));
  return faults.find((fault) => fault !== null) ?? null;
}

function findFieldFault(
  name: string,
  { request, method }: RestRead,
  program: Program,
): PathFault | null {
  const field = request.find((each) => each.jsonName === name);
  if (field === undefined) {
    const known = request.map((each) => each.jsonName);
    return {
      message: `the request of \`${method.name.text}\` has no field \`${name}\``,
      ...didYouMean(name, known),
    };
  }
  const type = resolveType(program, field.document, field.syntax.type);
  if (type === null || fitsSegment(type, program)) return null;
  return {
    message: `\`${name}\` cannot be a path segment`,
    notes: [
      "a path segment must be a string, a number, an enum, or a list of them",
    ],
  };
}

function fitsSegment(type: ResolvedType, program: Program): boolean {
  switch (type.kind) {
    case "enum":
      return true;
    case "scalar":
      return segmentWires.has(scalars[type.name].wire);
    case "list": {
      const element = resolveType(program, type.document, type.element);
      if (element === null) return true;
      return element.kind !== "list" && fitsSegment(element, program);
    }
    case "map":
    case "struct":
      return false;
  }
}
