import type {
  AliasDeclaration,
  Field,
  TypeExpression,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isReadVerb } from "../../ir/bodiless.js";
import { isPortableName } from "../../ir/json-name.js";
import { scalars } from "../../ir/scalars.js";
import type { JsonKind } from "../../ir/variant-shape.js";
import {
  isExtra,
  isUnion,
  jsonNameOf,
  metadataValue,
  variantsOf,
} from "../notation/metadata.js";
import type { Program, TypeSyntax } from "../program/program.js";
import {
  aliasesOf,
  isByteType,
  isNullableType,
  resolveType,
  type ResolvedType,
} from "../program/resolve-type.js";
import { boundFields, type RestMethod } from "../program/rest-methods.js";
import { shapeOf, structFieldsOf } from "../program/variants.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { NodeFinding } from "../report/finding.js";

/** A problem with a part of an address. */
export type AddressFault = Pick<NodeFinding, "message" | "notes" | "help">;

/** A part of an address that contains the value of a field. */
export type FieldPlace =
  "path segment" | "query parameter" | "joined list" | "header";

/** What has a type. */
type Typed = Pick<RestMethod["request"][number], "document" | "syntax">;

/** Returns why a field's text cannot be part of an address, or null. */
export function findFieldFault(
  name: string,
  place: FieldPlace,
  { request, method }: Pick<RestMethod, "method" | "request">,
  program: Program,
  side = "request",
): AddressFault | null {
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
      message: `the ${side} of \`${method.name.text}\` has no field \`${name}\``,
      ...didYouMean(name, known),
    };
  }
  return findTextFault(name, place, field, program);
}

/** Returns why the values of a field cannot be text, or null. */
export function findTextFault(
  name: string,
  place: FieldPlace,
  field: Typed,
  program: Program,
): AddressFault | null {
  const type = resolveType(program, field.document, field.syntax.type);
  if (type === null) return null;
  if (mayBeNull(field, type, program)) {
    return { message: `\`${name}\` can be null and cannot be a ${place}` };
  }
  if (place === "joined list" && type.kind !== "list") {
    return {
      message: `\`${name}\` is not a list`,
      help: `remove the comma: \`{${name}}\``,
    };
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
  { document, syntax }: Typed,
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

/** A type and a subtype, which is JSON or ends in `+json`, without parameters. */
const jsonType = /^[\w.-]+\/(?:[\w!#$&^.+-]+\+)?json$/iu;

/** Returns the problem of a `@contentType`, or null. */
export function findContentTypeFault(rest: RestMethod): NodeFinding | null {
  const { contentType, form, method, verb } = rest;
  if (contentType === undefined) return null;
  const at = contentType.value ?? contentType;
  const help = "remove `@contentType`";
  if (!jsonType.test(contentType.value?.text ?? "")) {
    const message = "`@contentType` must be a media type that is JSON";
    return {
      at,
      message,
      help: 'write a type such as `"application/merge-patch+json"`',
    };
  }
  const parts = partsOf(rest);
  if (isReadVerb(verb) || parts.length === 0) {
    const message = `a request of \`${method.name.text}\` has no body`;
    return { at, message, help };
  }
  // Only the whole body can be a file without a form.
  const hasFiles = parts.some(
    ({ type }) => type.kind === "name" && type.name.text === "file",
  );
  if (form === undefined && !hasFiles) return null;
  const message = `the body of \`${method.name.text}\` is not JSON`;
  return { at, message, help };
}

/** Reports a `@form` whose fields cannot be the pairs of a form. */
export function findFormFault(
  rest: RestMethod,
  program: Program,
): NodeFinding | null {
  const { form, method, requestBody, verb } = rest;
  if (form === undefined) return null;
  const at = form.value ?? form;
  const word = form.value?.text ?? "brackets";
  if (word !== "brackets") {
    const message = `\`${word}\` is not a way to write the lists of a form`;
    const hint = didYouMean(word, ["brackets"]);
    const help = "write `@form`, or `@form:brackets` for lists such as `a[]=1`";
    return { at, message, help, ...hint };
  }
  if (isReadVerb(verb)) {
    const message = `a ${verb} request has no body`;
    return { at, message, help: "use another verb" };
  }
  const parts = partsOf(rest);
  if (parts.length === 0) {
    const message = `all fields of \`${method.name.text}\` are in other parts of the request`;
    return { at, message, help: "remove `@form`" };
  }
  const [whole] = requestBody === undefined ? [] : parts;
  const type = whole && resolveType(program, whole.document, whole.type);
  if (whole && type && type.kind !== "struct" && type.kind !== "map") {
    const message = `\`${whole.name}\` cannot be a form, because its values have no names`;
    const help = "remove `@requestBody`, or use a struct or a map";
    return { at: requestBody ?? at, message, help };
  }
  const fault = findPartFault(parts, program);
  return fault && { at, ...fault };
}

/** A part of a form: a field, or the items, values or variants of one. */
interface FormPart {
  /** Where it is, e.g. `customer.address`. */
  readonly name: string;
  readonly document: LoadedDocument;
  readonly type: TypeExpression;
  readonly isNullable: boolean;
}

function partsOf({ binding, request, requestBody }: RestMethod): FormPart[] {
  const bound = boundFields(binding);
  return request
    .filter(({ jsonName }) =>
      requestBody === undefined
        ? !bound.includes(jsonName)
        : jsonName === requestBody.value?.text,
    )
    .map(({ document, jsonName, syntax }) => ({
      name: jsonName,
      document,
      type: syntax.type,
      isNullable:
        syntax.kind === "field" && metadataValue(syntax, "nullable") === "true",
    }));
}

/**
 * Returns the first problem of a value in a form, or null. Uses a loop, because
 * nesting can be too deep for recursion.
 */
function findPartFault(
  parts: FormPart[],
  program: Program,
): AddressFault | null {
  const seen = new Set<TypeSyntax>();
  for (const part of parts) {
    const { document, isNullable, name, type } = part;
    const resolved = resolveType(program, document, type);
    if (resolved === null) continue;
    if (isNullable || isNullableType(program, document, type)) {
      return { message: `\`${name}\` can be null and cannot be in a form` };
    }
    if (/[[\]]/u.test(name.replaceAll("[]", ""))) {
      return { message: `\`${name}\` has brackets and cannot be in a form` };
    }
    if ("declared" in resolved) {
      if (seen.has(resolved.declared.syntax)) continue;
      seen.add(resolved.declared.syntax);
    }
    const fault = findTypeFault(part, resolved, program);
    if (fault !== null) return fault;
    parts.push(...innerParts(part, resolved, program));
  }
  return null;
}

/** Returns the problem of a type in a form, apart from those of its parts. */
function findTypeFault(
  { document, name, type }: FormPart,
  resolved: ResolvedType,
  program: Program,
): AddressFault | null {
  switch (resolved.kind) {
    case "enum":
    case "list":
    case "map":
      return null;
    case "scalar":
      // A file in another place is a `misplaced-file`.
      return textWires.has(scalars[resolved.name].wire) ||
        resolved.name === "file"
        ? null
        : {
            message: `\`${name}\` cannot be in a form`,
            notes: [
              "a form contains strings, numbers, booleans, enums, and structs, lists, maps and unions of these",
            ],
          };
    case "struct":
      return structFieldsOf(resolved).some((field) => isOpen(field))
        ? unknownVariants(name)
        : null;
    case "union": {
      const { syntax } = resolved.declared;
      if (syntax.kind === "alias" && isOpen(syntax)) {
        return unknownVariants(name);
      }
      const kinds = shapeOf(program, document, type)?.kinds ?? [];
      return canTellApart([...kinds])
        ? null
        : {
            message: `\`${name}\` cannot be in a form, because its variants look alike there`,
            notes: [
              "in a form, a string looks like a number or a boolean, and a list like a single value",
            ],
          };
    }
  }
}

/** Returns the parts of a value in a form. */
function innerParts(
  part: FormPart,
  resolved: ResolvedType,
  program: Program,
): readonly FormPart[] {
  const { document, name, type } = part;
  const inner = { isNullable: false, name };
  switch (resolved.kind) {
    case "enum":
    case "scalar":
      return [];
    case "list": {
      const { document, element } = resolved;
      return isByteType(program, document, element)
        ? []
        : [{ ...inner, name: `${name}[]`, document, type: element }];
    }
    case "map": {
      const alias = aliasesOf(program, document, type).at(-1);
      const map = alias?.syntax.type ?? type;
      const from = alias?.document ?? document;
      return map.kind === "map"
        ? [{ ...inner, name: `${name}[]`, document: from, type: map.value }]
        : [];
    }
    case "struct": {
      const { document } = resolved.declared;
      return structFieldsOf(resolved).flatMap((field) => {
        const jsonName = jsonNameOf(field);
        if (jsonName === null) return [];
        const each = {
          document,
          name: isExtra(field) ? name : `${name}.${jsonName}`,
          isNullable: metadataValue(field, "nullable") === "true",
        };
        // A variant of type `null` has no content.
        return isUnion(field)
          ? variantsOf(field)
              .filter(({ type }) => !isNull(type))
              .map(({ type }) => ({ ...each, type }))
          : [{ ...each, type: field.type }];
      });
    }
    case "union": {
      const { document, syntax } = resolved.declared;
      return syntax.kind === "alias"
        ? variantsOf(syntax).map(({ type }) => ({ ...inner, document, type }))
        : [];
    }
  }
}

function isOpen(owner: Field | AliasDeclaration): boolean {
  return metadataValue(owner, "open") === "true";
}

function isNull(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "null";
}

/** Whether the pairs of a form show which kind of value they are. */
function canTellApart(kinds: readonly JsonKind[]): boolean {
  if (kinds.includes("array")) return kinds.length === 1;
  return !(
    kinds.includes("string") &&
    (kinds.includes("number") || kinds.includes("boolean"))
  );
}

function unknownVariants(name: string): AddressFault {
  return {
    message: `\`${name}\` is an open union, or has one, and cannot be in a form`,
    notes: ["the types of the fields of unknown variants are not known"],
  };
}
