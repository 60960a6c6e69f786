import type { Field, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { scalars } from "../../ir/scalars.js";
import {
  joinShapes,
  jsonKinds,
  shapeOfKinds,
  shapeOfObject,
  type VariantShape,
} from "../../ir/variant-shape.js";
import { jsonNameOf, metadataValue, variantsOf } from "../notation/metadata.js";
import type { Program } from "./program.js";
import { aliasesOf, type ResolvedType, resolveType } from "./resolve-type.js";

/** Deeper unions of unions are not followed. */
export const maxUnionDepth = 8;

/**
 * Returns what tells the values of a type from others, or null for an unknown
 * type.
 */
export function shapeOf(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
  depth = 0,
): VariantShape | null {
  const resolved = resolveType(program, document, type);
  if (resolved === null || depth > maxUnionDepth) return null;
  switch (resolved.kind) {
    case "scalar": {
      const acceptsInteger = aliasesOf(program, document, type).some(
        ({ syntax }) => metadataValue(syntax, "accept") === "integer",
      );
      const { wire } = scalars[resolved.name];
      return shapeOfKinds(jsonKinds(wire, acceptsInteger));
    }
    case "enum":
      return shapeOfKinds(new Set(["string"]));
    case "list": {
      const isText = isBytes(program, resolved);
      return shapeOfKinds(new Set([isText ? "string" : "array"]));
    }
    case "map":
      return shapeOfKinds(new Set(["object"]));
    case "struct":
      return shapeOfObject(
        fieldsOf(resolved).flatMap((field) => {
          const name = jsonNameOf(field);
          return name === null ? [] : [{ name, isOptional: field.isOptional }];
        }),
      );
    case "union": {
      const { document, syntax } = resolved.declared;
      const shapes =
        syntax.kind === "alias"
          ? variantsOf(syntax).map(({ type }) =>
              shapeOf(program, document, type, depth + 1),
            )
          : [];
      return joinShapes(shapes.flatMap((shape) => shape ?? []));
    }
  }
}

/** Returns the fields of a struct, or none for another type. */
export function fieldsOf(type: ResolvedType): readonly Field[] {
  if (type.kind !== "struct") return [];
  const { syntax } = type.declared;
  return syntax.kind === "struct" ? syntax.fields : [];
}

function isBytes(
  program: Program,
  { document, element }: Extract<ResolvedType, { kind: "list" }>,
): boolean {
  const item = resolveType(program, document, element);
  return (
    item?.kind === "scalar" && (item.name === "byte" || item.name === "uint8")
  );
}
