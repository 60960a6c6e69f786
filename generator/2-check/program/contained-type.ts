import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import {
  type HasMetadata,
  isUnion,
  metadataValue,
} from "../notation/metadata.js";
import { parseCount } from "../notation/numbers.js";
import type { DeclaredType, Program } from "./program.js";
import { findType } from "./reach.js";

/** A field or an alias: a type with limits. */
interface Typed extends HasMetadata {
  readonly type: TypeExpression;
}

/**
 * Returns the struct or union that every value of a field, an alias or a
 * variant contains, or null.
 */
export function containedType(
  owner: Typed,
  from: LoadedDocument,
  program: Program,
): DeclaredType | null {
  let { type } = owner;
  let document = from;
  // The owner and its aliases can limit the length of a list.
  let limiting: HasMetadata[] = [owner];
  const passed = new Set<DeclaredType>();
  for (;;) {
    if (type.kind !== "name") {
      const key = type.kind === "list" ? "minItems" : "minProperties";
      if (!limiting.some((each) => isPositive(each, key))) return null;
      limiting = [];
      type = innerType(type);
      continue;
    }
    const declared = findType(program, document, type.name.text);
    if (declared === undefined) return null;
    const { syntax } = declared;
    switch (syntax.kind) {
      case "struct":
        return declared;
      case "enum":
        return null;
      case "alias":
        break;
    }
    if (passed.has(declared)) return null;
    if (metadataValue(syntax, "nullable") === "true") return null;
    if (isUnion(syntax)) return declared;
    passed.add(declared);
    limiting.push(syntax);
    ({ document } = declared);
    ({ type } = syntax);
  }
}

/** Returns the type of the items of a list or of the values of a map. */
export function innerType(
  type: Exclude<TypeExpression, { readonly kind: "name" }>,
): TypeExpression {
  return type.kind === "list" ? type.element : type.value;
}

function isPositive(owner: HasMetadata, key: string): boolean {
  return (parseCount(metadataValue(owner, key) ?? "") ?? 0) > 0;
}
