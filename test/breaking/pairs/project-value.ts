import type { Field, TypeReference } from "../../../generator/ir/contract.js";
import { isBytes } from "../../support/is-bytes.js";
import { isRecord } from "../../../runtime/typescript/values/validation.js";
import { valuesOf } from "../../../generator/values/value.js";
import { variantFor } from "../../../generator/values/variants.js";
import type { Version } from "./build-version.js";

/**
 * A value in a form that does not depend on the version's code. Absent values
 * are null.
 */
export type Tree =
  string | null | readonly Tree[] | { readonly [name: string]: Tree };

/**
 * Returns the members of a message that a version's code sees: its declared
 * fields, and extra members if the version collects them.
 */
export function projectMessage(
  version: Version,
  fields: readonly Field[],
  value: unknown,
): Tree {
  if (!isRecord(value)) return leafOf(value);
  return Object.fromEntries(
    fields.flatMap(({ isExtra, jsonName, type }): [string, Tree][] => {
      const tree = projectValue(version, type, value[jsonName]);
      if (isExtra) return isObject(tree) ? Object.entries(tree) : [];
      return [[jsonName, tree]];
    }),
  );
}

function projectValue(
  version: Version,
  reference: TypeReference,
  value: unknown,
): Tree {
  if (value === null || value === undefined) return null;
  const { index } = version;
  const type = index.resolve(reference);
  const isList = type.kind === "list" && !isBytes(index, type);
  if (isList && Array.isArray(value)) {
    return value.map((item) => projectValue(version, type.element, item));
  }
  if (type.kind === "map" && isRecord(value)) {
    return mapRecord(value, (item) => projectValue(version, type.value, item));
  }
  if (type.kind === "reference") {
    const declared = index.type(type.name);
    if (declared.kind === "struct") {
      return projectMessage(version, declared.fields, value);
    }
    if (declared.kind === "union" && isJson(value)) {
      const values = valuesOf(version.contract);
      const variant = variantFor(values, declared, value);
      return variant
        ? projectValue(version, variant.type, value)
        : unknownVariant;
    }
  }
  return leafOf(value);
}

/** Stands for a value that is of no variant that a version knows. */
const unknownVariant = "an unknown variant";

/** Whether code uses the JSON of a value, unlike a `Date`, bytes or a bigint. */
function isJson(value: unknown): boolean {
  return isRecord(value)
    ? Object.getPrototypeOf(value) === Object.prototype
    : !(value instanceof Object && !Array.isArray(value)) &&
        typeof value !== "bigint";
}

function leafOf(value: unknown): Tree {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof File) return `file ${value.name} ${value.type}`;
  if (Array.isArray(value)) return value.map(leafOf);
  if (isRecord(value)) {
    return typeof value["stream"] === "function"
      ? `file ${String(value["name"])} ${String(value["type"])}`
      : mapRecord(value, leafOf);
  }
  return String(value);
}

function mapRecord(
  record: Record<string, unknown>,
  map: (item: unknown) => Tree,
): Tree {
  return Object.fromEntries(
    Object.entries(record).map(([key, item]) => [key, map(item)]),
  );
}

/** A part of a message that a reader interprets differently from the sender. */
export interface Difference {
  /** `lost` means that the reader does not know a field or a variant. */
  readonly kind: "changed" | "lost";
  readonly path: string;
}

/** Compares how two versions read a message. */
export function compareTrees(
  meant: Tree,
  read: Tree,
  path = "",
): readonly Difference[] {
  if (meant === unknownVariant) return [];
  if (read === unknownVariant) return [{ kind: "lost", path }];
  if (isObject(meant) && isObject(read)) {
    return Object.entries(meant).flatMap(([name, item]) => {
      const place = `${path}.${name}`;
      const other = Object.hasOwn(read, name) ? read[name] : undefined;
      if (other !== undefined) return compareTrees(item, other, place);
      return item === null ? [] : [{ kind: "lost" as const, path: place }];
    });
  }
  if (Array.isArray(meant) && Array.isArray(read)) {
    return meant.length === read.length
      ? meant.flatMap((item, index) =>
          compareTrees(item, read[index] ?? null, `${path}[${index}]`),
        )
      : [{ kind: "changed", path }];
  }
  return meant === read ? [] : [{ kind: "changed", path }];
}

function isObject(tree: Tree): tree is { readonly [name: string]: Tree } {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}
