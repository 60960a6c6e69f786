import { isPortableName } from "../../ir/json-name.js";
import { scalars } from "../../ir/scalars.js";
import type { Program } from "../program/program.js";
import {
  isNullableType,
  resolveType,
  type ResolvedType,
} from "../program/resolve-type.js";
import type { RestMethod } from "../program/rest-methods.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { NodeFinding } from "../report/finding.js";

/** A problem with a part of an address. */
export type Fault = Pick<NodeFinding, "message" | "notes" | "help">;

/** A part of an address that contains the value of a field. */
export type FieldPlace = "path segment" | "query parameter";

/** Returns why a field's text cannot be part of an address, or null. */
export function findFieldFault(
  name: string,
  place: FieldPlace,
  { request, method }: Pick<RestMethod, "method" | "request">,
  program: Program,
): Fault | null {
  const field = request.find((each) => each.jsonName === name);
  if (field === undefined) {
    const named = request.find(({ syntax }) => syntax.name.text === name);
    if (named !== undefined && !isPortableName(named.jsonName)) {
      return {
        message: `\`${name}\` has the JSON name \`${named.jsonName}\`, which cannot be a parameter of a path`,
        help: "remove its JSON name, because a path does not contain it",
      };
    }
    const known = request.map((each) => each.jsonName);
    return {
      message: `the request of \`${method.name.text}\` has no field \`${name}\``,
      ...didYouMean(name, known),
    };
  }
  const type = resolveType(program, field.document, field.syntax.type);
  if (type === null) return null;
  if (mayBeNull(field, type, program)) {
    return { message: `\`${name}\` can be null and cannot be a ${place}` };
  }
  if (fitsText(type, program)) return null;
  return {
    message: `\`${name}\` cannot be a ${place}`,
    notes: [
      `a ${place} must be a string, a number, a boolean, an enum, or a list of these`,
    ],
  };
}

/** Whether the type of a field, or of its items, is nullable. */
function mayBeNull(
  { document, syntax }: RestMethod["request"][number],
  type: ResolvedType,
  program: Program,
): boolean {
  return (
    isNullableType(program, document, syntax.type) ||
    (type.kind === "list" &&
      isNullableType(program, type.document, type.element))
  );
}

/** JSON types that text can represent. */
const textWires: ReadonlySet<string> = new Set(["boolean", "number", "string"]);

function fitsText(type: ResolvedType, program: Program): boolean {
  switch (type.kind) {
    case "enum":
      return true;
    case "scalar":
      return textWires.has(scalars[type.name].wire);
    case "list": {
      const element = resolveType(program, type.document, type.element);
      if (element === null) return true;
      return element.kind !== "list" && fitsText(element, program);
    }
    case "map":
    case "struct":
    case "union":
      return false;
  }
}
