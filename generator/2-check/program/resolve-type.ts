import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { ScalarName } from "../../ir/contract.js";
import { isScalarName } from "../../ir/scalars.js";
import type { DeclaredType, Program } from "./program.js";
import { lookUpLoosely } from "./reach.js";

/** What a type is when aliases are looked through. */
export type ResolvedType =
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | {
      readonly kind: "list";
      readonly element: TypeExpression;
      readonly document: LoadedDocument;
    }
  | { readonly kind: "map" }
  | { readonly kind: "enum" | "struct"; readonly declared: DeclaredType };

/**
 * Looks through aliases.
 * Input: a type, and the document that it stands in. Output: null when a name
 * does not resolve or aliases form a cycle; other rules say so.
 */
export function resolveType(
  program: Program,
  from: LoadedDocument,
  written: TypeExpression,
): ResolvedType | null {
  // Most types are no alias.
  let seen: Set<DeclaredType> | null = null;
  let place = { document: from, type: written };
  for (;;) {
    const { type, document } = place;
    switch (type.kind) {
      case "map":
        return { kind: "map" };
      case "list":
        return { kind: "list", element: type.element, document };
      case "name": {
        const name = type.name.text;
        if (isScalarName(name)) return { kind: "scalar", name };
        const scope = program.scopes.get(document.path);
        const declared = scope && lookUpLoosely(scope, name);
        if (declared === undefined || seen?.has(declared) === true) return null;
        const { syntax } = declared;
        if (syntax.kind !== "alias") return { kind: syntax.kind, declared };
        seen ??= new Set();
        seen.add(declared);
        place = { document: declared.document, type: syntax.type };
      }
    }
  }
}
