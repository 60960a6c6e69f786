import { findDuplicates } from "../duplicates.js";
import { parametersOf, type parsePathTemplate } from "../path-template.js";
import { locate, reportError, type Details } from "../report.js";
import { findRestReads, type RestRead } from "../rest-reads.js";
import type { Program } from "../program.js";
import { resolveType, type ResolvedType } from "../resolve-type.js";
import { didYouMean } from "../did-you-mean.js";
import type { Rule } from "./rule.js";

/** The path of `@get` is well formed, and its parameters are request fields. */
export const invalidRestPath: Rule = (program) =>
  findRestReads(program).flatMap((read) => {
    const fault = findShapeFault(read.path) ?? findFieldFault(read, program);
    if (fault === null) return [];
    const [message, details] = fault;
    const place = locate(read.document, read.place);
    return reportError("invalid-rest-path", place, message, details);
  });

type Fault = readonly [message: string, details: Details];

function findShapeFault({
  text,
  segments,
}: ReturnType<typeof parsePathTemplate>): Fault | null {
  if (!text.startsWith("/")) return ["the path of `@get` begins with `/`", {}];
  for (const segment of segments) {
    if (segment.kind === "parameter") continue;
    if (segment.text === "")
      return ["the path of `@get` has an empty segment", {}];
    if (/[{}]/.test(segment.text)) {
      return [
        `\`${segment.text}\` is not a parameter: \`{name}\` is a whole segment`,
        {},
      ];
    }
    if (!/^[A-Za-z0-9._~-]+$/.test(segment.text)) {
      return [`\`${segment.text}\` cannot be a segment of a path`, {}];
    }
  }
  return null;
}

function findFieldFault(read: RestRead, program: Program): Fault | null {
  const names = parametersOf(read.path);
  const [twice] = findDuplicates(names, (name) => name);
  if (twice) return [`the path has the parameter \`${twice.again}\` twice`, {}];
  for (const name of names) {
    const field = read.request.find((each) => each.jsonName === name);
    if (field === undefined) {
      const known = read.request.map((each) => each.jsonName);
      return [
        `the request of \`${read.method.name.text}\` has no field \`${name}\``,
        didYouMean(name, known),
      ];
    }
    const type = resolveType(program, field.document, field.type);
    if (type !== null && !fitsSegment(type, program)) {
      return [
        `\`${name}\` cannot be a segment of a path`,
        {
          notes: [
            "a segment is a string, a number, an enum, or a list of them",
          ],
        },
      ];
    }
  }
  return null;
}

function fitsSegment(type: ResolvedType, program: Program): boolean {
  if (type.kind === "enum") return true;
  if (type.kind === "scalar")
    return !["any", "null", "file"].includes(type.name);
  if (type.kind !== "list") return false;
  const element = resolveType(program, type.document, type.element);
  return (
    element === null ||
    (element.kind !== "list" && fitsSegment(element, program))
  );
}
