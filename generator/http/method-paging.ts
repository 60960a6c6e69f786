import type { Contract, Field, Method } from "../ir/contract.js";
import {
  findPaging,
  kindOfScalar,
  type PagedField,
  type PageLinks,
  type PagedKind,
  type Paging,
  type PagingOptions,
} from "../values/paging.js";
import {
  type ContractValues,
  isFile,
  type ResolvedValue,
  valuesOf,
} from "../values/value.js";
import { type FieldSlot, foldRequest, foldResponse, skip } from "./slots.js";
import { wireOf } from "./wire-of.js";

/** A field of the contract, as {@link findPaging} needs it. */
interface PagedContractField extends PagedField<PagedContractField> {
  readonly field: Field;
}

/** Returns how a method of the contract returns pages, or null. */
export function pagingOf(
  contract: Contract,
  options: PagingOptions,
  method: Method,
): Paging<Field> | null {
  const { request, response, route } = method;
  const values = valuesOf(contract);
  const { fields } = response;
  const hasFile = [...request.fields, ...fields].some((field) =>
    isFile(values, values.valueOf(field)),
  );
  if (route.kind === "webhook" || response.isStream || hasFile) return null;
  const read = createReader(values, options);
  const { paging } = findPaging(
    request.fields.map(read),
    fields.map(read),
    linksOf(method),
  );
  return (
    paging && {
      isNumbered: paging.isNumbered,
      linked: paging.linked,
      holder: paging.holder?.field ?? null,
      asked: paging.asked.field,
      answered: paging.answered.field,
      items: paging.items?.field ?? null,
    }
  );
}

/** Returns the links to other pages in responses, or null. */
function linksOf(method: Method): PageLinks | null {
  const { address, request, response } = wireOf(method);
  if (method.route.kind !== "rest" || address?.verb !== "GET") return null;
  const [header] = foldResponse<FieldSlot>(response, {
    status: skip,
    header: (slot) => (slot.name.toLowerCase() === "link" ? [slot] : []),
    member: skip,
    whole: skip,
  });
  if (header === undefined) return null;
  const query = foldRequest<readonly [string, string]>(request, {
    path: skip,
    query: ({ field, name }) => [[field.jsonName, name]],
    fixed: skip,
    header: skip,
    member: skip,
    part: skip,
    whole: skip,
  });
  return { header: header.field.jsonName, query: new Map(query) };
}

function createReader(
  values: ContractValues,
  options: PagingOptions,
): (field: Field) => PagedContractField {
  const read = (field: Field): PagedContractField => {
    const { isNullable, isOptional, jsonName } = field;
    const value = values.valueOf(field);
    const struct = value.kind === "struct" ? value.declaration : null;
    const kind = kindOf(value, options);
    const fields = (): readonly PagedContractField[] =>
      struct?.fields.map(read) ?? [];
    return { field, jsonName, isOptional, isNullable, kind, struct, fields };
  };
  return read;
}

function kindOf(value: ResolvedValue, options: PagingOptions): PagedKind {
  switch (value.kind) {
    case "scalar":
      return kindOfScalar(value.scalar, value.isSafe, options);
    case "struct":
    case "list":
      return value.kind;
    case "bytes":
    case "enum":
    case "map":
    case "union":
      return "other";
  }
}
