import type { Contract, Field, Method, Route } from "../ir/contract.js";
import {
  findPaging,
  kindOfScalar,
  type PagedField,
  type PageLinks,
  type PagedKind,
  type Paging,
  type PagingOptions,
} from "./paging.js";
import {
  type ContractValues,
  isFile,
  type ResolvedValue,
  valuesOf,
} from "./value.js";

/** A field of the contract, as {@link findPaging} needs it. */
interface PagedContractField extends PagedField<PagedContractField> {
  readonly field: Field;
}

/** Returns how a method of the contract returns pages, or null. */
export function pagingOf(
  contract: Contract,
  options: PagingOptions,
  { request, response, route }: Method,
): Paging<Field> | null {
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
    linksOf(route),
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
function linksOf(route: Route): PageLinks | null {
  if (route.kind !== "rest" || route.verb !== "GET") return null;
  const header = route.responseHeaders.find(
    ({ name }) => name.toLowerCase() === "link",
  );
  if (header === undefined) return null;
  const query = route.query.flatMap((parameter): [string, string][] =>
    parameter.kind === "field" ? [[parameter.field, parameter.name]] : [],
  );
  return { header: header.field, query: new Map(query) };
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
