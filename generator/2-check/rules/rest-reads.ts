import { findAnnotation } from "../notation/annotations.js";
import { isExtra } from "../notation/metadata.js";
import { isPortableName } from "../../ir/json-name.js";
import { pathParameters } from "../../ir/path-parameters.js";
import { type RestRead, findRestReads } from "../program/rest-reads.js";
import { findDuplicates } from "../report/duplicates.js";
import { relate, type NodeFinding } from "../report/finding.js";
import type { CheckRules } from "./rule.js";
import type { PathTemplate } from "../../ir/contract.js";
import { scalars } from "../../ir/scalars.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Program } from "../program/program.js";
import {
  isNullableType,
  resolveType,
  type ResolvedType,
} from "../program/resolve-type.js";

/** Rules about REST reads. */
export const restRules = {
  "invalid-rest-path": (program) =>
    findRestReads(program).flatMap((read) => {
      const fault = findPathFault(read, program);
      return fault ? { document: read.document, at: read.place, ...fault } : [];
    }),

  "invalid-body": (program) =>
    findRestReads(program).flatMap(({ method, document, response }) => {
      const body = findAnnotation(method, "body");
      if (body === undefined) return [];
      const [only, ...others] = response;
      const isOnly = only !== undefined && others.length === 0;
      if (
        isOnly &&
        only.jsonName === body.value?.text &&
        !only.syntax.isOptional &&
        !isExtra(only.syntax)
      ) {
        return [];
      }
      return {
        document,
        at: body.value ?? body,
        message: `\`@body\` must name the only output of \`${method.name.text}\``,
        ...(isOnly
          ? {
              help: isExtra(only.syntax)
                ? "remove `@body`: the map is already the entire body"
                : only.syntax.isOptional
                  ? `make \`${only.jsonName}\` required`
                  : `write \`@body:${isPortableName(only.jsonName) ? only.jsonName : JSON.stringify(only.jsonName)}\``,
            }
          : { notes: [`the method has ${response.length} outputs`] }),
      };
    }),

  // The entire request of a REST read is in its path, so every field is
  // required.
  "unbound-request-field": (program) =>
    findRestReads(program).flatMap((read) => {
      // A misspelled parameter leaves its field unbound.
      if (findPathFault(read, program)) return [];
      const { method, path, request } = read;
      const bound = new Set(pathParameters(path));
      return request.flatMap(({ jsonName, syntax, document }) => {
        const { isOptional, name } = syntax;
        const isBound = bound.has(jsonName);
        if (isBound && !isOptional) return [];
        return {
          document,
          at: name,
          message: isBound
            ? `\`${name.text}\` is in the path of \`${method.name.text}\` and cannot be optional`
            : `\`${name.text}\` is not in the path of \`${method.name.text}\``,
          notes: ["the entire request of a REST read is in its path"],
          help: isExtra(syntax)
            ? "remove the field"
            : isBound
              ? "remove the `?`"
              : !isPortableName(jsonName)
                ? `remove its JSON name \`${jsonName}\`, which cannot be a parameter of the path`
                : `add \`/{${jsonName}}\` to the path, or remove the field`,
        };
      });
    }),

  "duplicate-route": (program) => {
    const reads = findRestReads(program);
    return program.hosts.flatMap(({ services }) => {
      const owners = new Set(services.map(({ syntax }) => syntax));
      const own = reads.filter(({ service }) => owners.has(service));
      return findDuplicates(own, shapeOf).map(({ first, again }) => ({
        document: again.document,
        at: again.place,
        message: `\`${again.method.name.text}\` has the same path as \`${first.method.name.text}\``,
        related: [relate(first, first.place, "first used here")],
        help: "change a literal segment of one path",
      }));
    });
  },
} satisfies CheckRules;

function shapeOf({ path }: RestRead): string {
  return path.segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}

/** JSON types that a path segment can represent. */
const segmentWires: ReadonlySet<string> = new Set([
  "boolean",
  "number",
  "string",
]);

/** A problem with a path. */
type PathFault = Pick<NodeFinding, "message" | "notes" | "help">;

/** Returns the first problem with a REST read's path, or null. */
function findPathFault(read: RestRead, program: Program): PathFault | null {
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
  const names = pathParameters(read.path);
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
    return {
      message: `\`${name}\` can be null and cannot be a path segment`,
    };
  }
  if (fitsSegment(type, program)) return null;
  return {
    message: `\`${name}\` cannot be a path segment`,
    notes: [
      "a path segment must be a string, a number, a boolean, an enum, or a list of these",
    ],
  };
}

/** Whether the type of a field, or of its items, is nullable. */
function mayBeNull(
  { document, syntax }: RestRead["request"][number],
  type: ResolvedType,
  program: Program,
): boolean {
  return (
    isNullableType(program, document, syntax.type) ||
    (type.kind === "list" &&
      isNullableType(program, type.document, type.element))
  );
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
    case "union":
      return false;
  }
}
