import type { AliasDeclaration, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { ScalarName } from "../../ir/contract.js";
import { rememberEach } from "../../ir/remember.js";
import { isByteName, isScalarName, scalars } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import type { Limits } from "../notation/notation.js";
import { isUnion } from "../notation/metadata.js";
import type { Declared, DeclaredType, Program } from "./program.js";
import { findType } from "./reach.js";

/** A type with its aliases resolved. */
export type ResolvedType =
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | {
      readonly kind: "list";
      readonly element: TypeExpression;
      readonly document: LoadedDocument;
    }
  | { readonly kind: "map" }
  | {
      readonly kind: "enum" | "struct" | "union";
      readonly declared: DeclaredType;
    };

/** An alias between a name and its resolved type. */
interface AliasStep {
  readonly kind: "alias";
  readonly syntax: AliasDeclaration;
  readonly declared: DeclaredType;
}

/** The part of a program in which names are looked up. */
export type Scoped = Pick<Program, "scopes">;

/** Caches the resolved types of a program's aliases. */
const resolvedAliases = rememberEach(
  (_: Scoped) => new Map<DeclaredType, ResolvedType | null>(),
);

/**
 * Resolves the aliases of a type. Returns null for an unknown name or a cycle.
 */
export function resolveType(
  program: Scoped,
  from: LoadedDocument,
  written: TypeExpression,
): ResolvedType | null {
  const resolved = resolvedAliases(program);
  const passed: DeclaredType[] = [];
  let step = resolveStep(program, from, written);
  while (step?.kind === "alias") {
    const { declared, syntax } = step;
    const known = resolved.get(declared);
    if (known === undefined) {
      // If the aliases form a cycle, this ends the loop.
      resolved.set(declared, null);
      passed.push(declared);
      step = resolveStep(program, declared.document, syntax.type);
    } else step = known;
  }
  for (const alias of passed) resolved.set(alias, step);
  return step;
}

/** Returns the aliases that a type refers to, from the first to the last. */
export function aliasesOf(
  program: Scoped,
  from: LoadedDocument,
  written: TypeExpression,
  atMost = Infinity,
): readonly Declared<AliasDeclaration>[] {
  const found = new Map<DeclaredType, Declared<AliasDeclaration>>();
  let step = resolveStep(program, from, written);
  while (step?.kind === "alias" && !found.has(step.declared)) {
    if (found.size >= atMost) break;
    const { declared, syntax } = step;
    const { document } = declared;
    found.set(declared, { syntax, document });
    step = resolveStep(program, document, syntax.type);
  }
  return [...found.values()];
}

/** Whether an alias of a type has `+ nullable = true`. */
export function isNullableType(
  program: Scoped,
  from: LoadedDocument,
  written: TypeExpression,
): boolean {
  return aliasesOf(program, from, written).some(
    ({ syntax }) => metadataValue(syntax, "nullable") === "true",
  );
}

/** Whether a type is `byte` or `uint8`, whose lists are base64 on the wire. */
export function isByteType(
  program: Scoped,
  from: LoadedDocument,
  written: TypeExpression,
): boolean {
  const type = resolveType(program, from, written);
  return type?.kind === "scalar" && isByteName(type.name);
}

function resolveStep(
  program: Scoped,
  document: LoadedDocument,
  type: TypeExpression,
): ResolvedType | AliasStep | null {
  switch (type.kind) {
    case "map":
      return { kind: "map" };
    case "list":
      return { kind: "list", element: type.element, document };
    case "name": {
      const name = type.name.text;
      if (isScalarName(name)) return { kind: "scalar", name };
      const declared = findType(program, document, name);
      if (declared === undefined) return null;
      const { syntax } = declared;
      if (syntax.kind !== "alias") return { kind: syntax.kind, declared };
      return isUnion(syntax)
        ? { kind: "union", declared }
        : { kind: syntax.kind, syntax, declared };
    }
  }
}

/** Whether a type is `string`, or could be because its name is unknown. */
export function isStringType(
  program: Scoped,
  from: LoadedDocument,
  written: TypeExpression,
): boolean {
  const type = resolveType(program, from, written);
  return type === null || (type.kind === "scalar" && type.name === "string");
}

/** Whether a type can have limits of a kind. */
export function takesLimits(type: ResolvedType, limits: Limits): boolean {
  switch (type.kind) {
    case "scalar": {
      const { limits: own, wire } = scalars[type.name];
      return limits === "values"
        ? own !== null || wire === "boolean"
        : own === limits;
    }
    case "list":
    case "map":
      return type.kind === limits;
    case "enum":
      return limits === "values";
    case "struct":
    case "union":
      return false;
  }
}
