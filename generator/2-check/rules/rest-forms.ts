import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
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
} from "../program/resolve-type.js";
import { boundFields, type RestMethod } from "../program/rest-methods.js";
import { shapeOf, structFieldsOf } from "../program/variants.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Finding } from "../report/finding.js";
import type { Fault } from "./rest-fields.js";

/** Reports a `@form` whose fields cannot be the pairs of a form. */
export function findFormFaults(
  rest: RestMethod,
  program: Program,
): readonly Finding[] {
  const { document, form, method, requestBody, verb } = rest;
  if (form === undefined) return [];
  const at = form.value ?? form;
  const word = form.value?.text ?? "brackets";
  if (word !== "brackets") {
    const message = `\`${word}\` is not a way to write the lists of a form`;
    const hint = didYouMean(word, ["brackets"]);
    const help = "write `@form`, or `@form:brackets` for lists such as `a[]=1`";
    return [{ document, at, message, help, ...hint }];
  }
  if (verb === "GET") {
    const message = "a GET request has no body";
    return [{ document, at, message, help: "use another verb" }];
  }
  const parts = partsOf(rest);
  if (parts.length === 0) {
    const message = `all fields of \`${method.name.text}\` are in the path or the query`;
    return [{ document, at, message, help: "remove `@form`" }];
  }
  const [whole] = requestBody === undefined ? [] : parts;
  const type = whole && resolveType(program, whole.document, whole.type);
  if (whole && type && type.kind !== "struct" && type.kind !== "map") {
    const message = `\`${whole.name}\` cannot be a form, because its values have no names`;
    const help = "remove `@requestBody`, or use a struct or a map";
    return [{ document, at: requestBody ?? at, message, help }];
  }
  const fault = findPartFault(parts, program);
  return fault === null ? [] : [{ document, at, ...fault }];
}

/** A part of a form: a field, or the items, values or variants of one. */
interface Part {
  /** Where it is, e.g. `customer.address`. */
  readonly name: string;
  readonly document: LoadedDocument;
  readonly type: TypeExpression;
  readonly isNullable: boolean;
}

function partsOf({ binding, request, requestBody }: RestMethod): Part[] {
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
function findPartFault(parts: Part[], program: Program): Fault | null {
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
    const inside = (inner: Partial<Part>): void =>
      void parts.push({ ...part, isNullable: false, ...inner });
    switch (resolved.kind) {
      case "enum":
        break;
      case "scalar": {
        if (/^(?:any|file|null)$/u.test(scalars[resolved.name].wire)) {
          return unfit(name);
        }
        break;
      }
      case "list": {
        const { document, element } = resolved;
        if (isByteType(program, document, element)) break;
        inside({ name: `${name}[]`, document, type: element });
        break;
      }
      case "map": {
        const alias = aliasesOf(program, document, type).at(-1);
        const map = alias?.syntax.type ?? type;
        if (map.kind !== "map") break;
        const from = alias?.document ?? document;
        inside({ name: `${name}[]`, document: from, type: map.value });
        break;
      }
      case "struct": {
        const { declared } = resolved;
        if (seen.has(declared.syntax)) break;
        seen.add(declared.syntax);
        for (const field of structFieldsOf(resolved)) {
          const jsonName = jsonNameOf(field);
          if (jsonName === null) continue;
          const inner = isExtra(field) ? name : `${name}.${jsonName}`;
          const { document } = declared;
          if (isUnion(field)) {
            if (metadataValue(field, "open") === "true") return unknown(inner);
            for (const { type } of variantsOf(field)) {
              // A variant of type `null` has no content.
              if (isNull(type)) continue;
              inside({ name: inner, document, type });
            }
            continue;
          }
          const isNullable = metadataValue(field, "nullable") === "true";
          inside({ name: inner, document, type: field.type, isNullable });
        }
        break;
      }
      case "union": {
        const { document: from, syntax } = resolved.declared;
        if (seen.has(syntax) || syntax.kind !== "alias") break;
        seen.add(syntax);
        if (metadataValue(syntax, "open") === "true") return unknown(name);
        const kinds = shapeOf(program, document, type)?.kinds ?? [];
        if (!canTellApart([...kinds])) return mixed(name);
        for (const { type } of variantsOf(syntax)) {
          inside({ document: from, type });
        }
        break;
      }
    }
  }
  return null;
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

function unfit(name: string): Fault {
  return {
    message: `\`${name}\` cannot be in a form`,
    notes: [
      "a form contains strings, numbers, booleans, enums, and structs, lists, maps and unions of these",
    ],
  };
}

function unknown(name: string): Fault {
  return {
    message: `\`${name}\` is an open union and cannot be in a form`,
    notes: ["the types of the fields of unknown variants are not known"],
  };
}

function mixed(name: string): Fault {
  return {
    message: `\`${name}\` cannot be in a form, because its variants look alike there`,
    notes: [
      "in a form, a string looks like a number or a boolean, and a list like a single value",
    ],
  };
}
