import type { ServiceDeclaration, TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { isScalarName } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import { nestedTypes } from "./nodes.js";
import type { DeclaredError, DeclaredType, Program, Scope } from "./program.js";
import { foldName } from "./scope.js";

/** What a contract consists of. */
export interface Reached {
  readonly types: ReadonlySet<DeclaredType>;
  readonly errors: ReadonlySet<DeclaredError>;
}

/**
 * Everything that the entries see, and what that needs in turn: a type chosen
 * by a member import brings the types that it mentions.
 */
export function reachableFrom(
  entries: readonly LoadedDocument[],
  scopes: ReadonlyMap<string, Scope>,
): Reached {
  const types = new Set<DeclaredType>();
  const errors = new Set<DeclaredError>();
  for (const entry of entries) {
    const scope = scopes.get(entry.path);
    scope?.types.forEach((type) => types.add(type));
    scope?.errors.forEach((error) => errors.add(error));
    for (const { syntax, document } of scope?.services ?? []) {
      const own = scopes.get(document.path);
      if (own) addService(syntax, own, types, errors);
    }
  }
  // Sets visit what is added meanwhile, so this follows chains to their end.
  for (const { syntax, document } of types) {
    const own = scopes.get(document.path);
    if (own) addMentioned(syntax, own, types, errors);
  }
  return { types, errors };
}

function addService(
  service: ServiceDeclaration,
  scope: Scope,
  types: Set<DeclaredType>,
  errors: Set<DeclaredError>,
): void {
  for (const method of service.methods) {
    for (const message of [method.input, method.output]) {
      for (const argument of message.arguments) {
        addTypes(argument.type, scope, types);
      }
      const body =
        message.succinct && lookUpLoosely(scope, message.succinct.text);
      if (body) types.add(body);
    }
    for (const name of method.errors ?? []) {
      const error = scope.errorsByName.get(name.text);
      if (error) errors.add(error);
    }
  }
}

function addMentioned(
  syntax: DeclaredType["syntax"],
  scope: Scope,
  types: Set<DeclaredType>,
  errors: Set<DeclaredError>,
): void {
  switch (syntax.kind) {
    case "enum":
      return;
    case "struct":
      for (const field of syntax.fields) addTypes(field.type, scope, types);
      return;
    case "alias": {
      addTypes(syntax.type, scope, types);
      const known = metadataValue(syntax, "known") ?? "";
      const type = scope.typesByName.get(known);
      if (type) types.add(type);
      const name = metadataValue(syntax, "error") ?? "";
      const error = scope.errorsByName.get(name);
      if (error) errors.add(error);
    }
  }
}

function addTypes(
  type: TypeExpression,
  scope: Scope,
  types: Set<DeclaredType>,
): void {
  const addName = (name: string): void => {
    const found = scope.typesByName.get(name);
    if (found) types.add(found);
  };
  if (type.kind === "name") return addName(type.name.text);
  for (const each of nestedTypes(type)) {
    if (each.kind === "name") addName(each.name.text);
    else if (each.kind === "map" && each.key.kind === "name") {
      const key = lookUpLoosely(scope, each.key.name.text);
      if (key) types.add(key);
    }
  }
}

/**
 * A type in a place where webrpc does not look at case: the key of a map, the
 * body of a succinct message. An exact match wins, also that of a core type.
 */
export function lookUpLoosely(
  scope: Scope,
  name: string,
): DeclaredType | undefined {
  if (isScalarName(name)) return undefined;
  return (
    scope.typesByName.get(name) ?? scope.typesByFoldedName.get(foldName(name))
  );
}

/** The type of that name for a document, found by {@link lookUpLoosely}. */
export function findType(
  { scopes }: Pick<Program, "scopes">,
  document: LoadedDocument,
  name: string | undefined,
): DeclaredType | undefined {
  const scope = scopes.get(document.path);
  return scope && name !== undefined ? lookUpLoosely(scope, name) : undefined;
}
