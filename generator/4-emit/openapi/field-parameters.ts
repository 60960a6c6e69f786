import type { Contract, Field, Method } from "../../ir/contract.js";
import { groupBy } from "../../ir/group-by.js";
import { errorHeaders as headersAmong, wireOf } from "../../http/wire-of.js";
import { foldRequest, foldResponse, skip } from "../../http/slots.js";
import { compareTextSets } from "../../pattern/compare-text-sets.js";
import { type ResolvedValue, valuesOf } from "../../values/value.js";
import { isList, type JsonObject, printJson } from "../emitter/json-value.js";
import { describe } from "../json-schema/describe.js";
import type { DocumentSchemas } from "../json-schema/document-schemas.js";
import type { OperationParameter } from "./paths.js";

/** The context for describing fields outside bodies. */
export interface FieldScope {
  readonly contract: Contract;
  readonly schemas: DocumentSchemas;
}

/**
 * Describes the fields outside the body of a request. By default, a list in a
 * query is one pair for each item, as in OpenAPI. Servers read a list without
 * pairs as empty.
 */
export function fieldParameters(
  scope: FieldScope,
  method: Method,
): readonly OperationParameter[] {
  return foldRequest<OperationParameter>(wireOf(method).request, {
    path: ({ field, name }) => [
      {
        name,
        in: "path",
        ...describe(field.docs, field.deprecated),
        required: true,
        schema: segmentSchema(scope, field),
      },
    ],
    query: ({ field, list, name }) => [
      {
        name,
        in: "query",
        ...describe(field.docs, field.deprecated),
        required: isRequired(scope, field),
        ...(list === "joined" && { explode: false }),
        schema:
          list === "joined"
            ? segmentSchema(scope, field)
            : scope.schemas.value(field),
      },
    ],
    fixed: ({ name, value }) => [
      {
        name,
        in: "query",
        required: true,
        schema: { type: "string", const: value },
      },
    ],
    header: ({ field, name }) => [
      { name, in: "header", ...describeHeader(scope, field) },
    ],
    member: skip,
    part: skip,
    whole: skip,
  });
}

/** Describes the outputs in headers, if there are any. */
export function responseHeaders(
  scope: FieldScope,
  method: Method,
): JsonObject | undefined {
  const headers = foldResponse(wireOf(method).response, {
    status: skip,
    header: ({ field, name }) => [
      [name, describeHeader(scope, field)] as const,
    ],
    member: skip,
    whole: skip,
  });
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}

/**
 * Describes the headers of a response that contains one of several errors, if
 * there are any. Input: the fields of the data of each error.
 */
export function errorHeaders(
  scope: FieldScope,
  errors: readonly (readonly Field[])[],
): JsonObject | undefined {
  const headers = groupBy(errors.flatMap(headersAmong), ({ name }) =>
    name.toLowerCase(),
  );
  if (headers.size === 0) return undefined;
  return Object.fromEntries(
    Array.from(headers.values(), (all) => {
      const described = new Map(
        all.map(({ field }) => {
          const header = describeHeader(scope, field);
          return [printJson(header.schema), header] as const;
        }),
      );
      const [first, ...others] = described.values();
      const schemas = Array.from(described.values(), ({ schema }) => schema);
      const required =
        all.length === errors.length &&
        all.every(({ field }) => isRequired(scope, field));
      const schema = others.length === 0 ? first?.schema : { anyOf: schemas };
      return [all[0]?.name ?? "", { ...first, required, schema }];
    }),
  );
}

function describeHeader(
  scope: FieldScope,
  field: Field,
): Pick<OperationParameter, "required" | "schema"> {
  return {
    ...describe(field.docs, field.deprecated),
    required: isRequired(scope, field),
    schema: segmentSchema(scope, field),
  };
}

/** Whether a message must have a field outside its path and its body. */
function isRequired({ contract }: FieldScope, field: Field): boolean {
  const value = valuesOf(contract).valueOf(field);
  const mayBeEmpty = value.kind === "list" && !isNeverEmpty(value);
  return !field.isOptional && !mayBeEmpty;
}

function isNeverEmpty({ layers }: ResolvedValue): boolean {
  return layers.some(({ minItems = 0 }) => minItems > 0);
}

const noComma = "^[^,]*$";

/** Describes a path segment or a joined list. Servers split a list at every comma. */
function segmentSchema(
  { contract, schemas }: FieldScope,
  field: Field,
): JsonObject {
  const schema = schemas.value(field);
  const values = valuesOf(contract);
  const list = values.valueOf(field);
  if (list.kind !== "list") return schema;
  const item = values.valueOf(list.element);
  if (item.kind !== "scalar" || item.scalar !== "string") return schema;
  const patterns = item.layers.flatMap(({ pattern }) => pattern ?? []);
  const any = { min: 0, max: Infinity };
  const result = compareTextSets(
    { ...any, patterns },
    { ...any, patterns: [noComma] },
  );
  if (result.kind === "contained") return schema;
  const { items } = schema;
  // An alias refers to the schema of its items.
  const own = typeof items === "object" && items !== null && !isList(items);
  return { ...schema, items: { ...(own && items), pattern: noComma } };
}
