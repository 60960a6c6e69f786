import type { Method } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { rememberEach } from "../../ir/remember.js";
import { isScalarName } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import { namesUsedBy } from "./nodes.js";
import type {
  Declared,
  DeclaredError,
  DeclaredType,
  Program,
  Scope,
  TypeSyntax,
} from "./program.js";
import { foldName } from "./scope.js";

/** The declarations of a contract. */
export interface Reached {
  readonly types: ReadonlySet<DeclaredType>;
  readonly errors: ReadonlySet<DeclaredError>;
}

/**
 * Returns everything that the entries see, including indirect dependencies: a
 * type that a member import lists brings in the types that it mentions.
 */
export function reachableFrom(
  entries: readonly LoadedDocument[],
  scopes: Scopes,
): Reached {
  const types = new Set<DeclaredType>();
  const errors = new Set<DeclaredError>();
  for (const { path } of entries) {
    const scope = scopes.get(path);
    if (scope === undefined) continue;
    const reached = reachedFrom(scope)(scopes);
    reached.types.forEach((type) => types.add(type));
    reached.errors.forEach((error) => errors.add(error));
  }
  return { types, errors };
}

type Scopes = ReadonlyMap<string, Scope>;

/**
 * Returns everything that one entry sees and requires. The result depends only
 * on the scope, so it is cached as long as the scope exists.
 */
const reachedFrom = rememberEach((scope: Scope) => {
  let known: Reached | null = null;
  return (scopes: Scopes): Reached => (known ??= follow(scope, scopes));
});

function follow(scope: Scope, scopes: Scopes): Reached {
  const types = new Set(scope.types);
  const errors = new Set(scope.errors);
  const addMentioned = ({
    syntax,
    document,
  }: Declared<TypeSyntax | Method>): void => {
    for (const { text } of namesUsedBy(syntax)) {
      const type = findType({ scopes }, document, text);
      if (type) types.add(type);
    }
    for (const name of errorsUsedBy(syntax)) {
      const error = scopes.get(document.path)?.errorsByName.get(name);
      if (error) errors.add(error);
    }
  };
  for (const { syntax: service, document } of scope.services) {
    for (const syntax of service.methods) addMentioned({ syntax, document });
  }
  // The loop also visits types that it adds to the set, so it follows chains
  // to their end.
  for (const type of types) addMentioned(type);
  return { types, errors };
}

function errorsUsedBy(syntax: TypeSyntax | Method): readonly string[] {
  if (syntax.kind === "method") {
    return (syntax.errors ?? []).map(({ text }) => text);
  }
  const error =
    syntax.kind === "alias" ? metadataValue(syntax, "error") : undefined;
  return error === undefined ? [] : [error];
}

/**
 * Looks up a type in the two contexts where webrpc ignores case: the key of a
 * map and the body of a succinct message. An exact match, including a core
 * type, takes precedence.
 */
export function lookUpIgnoringCase(
  scope: Scope,
  name: string,
): DeclaredType | undefined {
  if (isScalarName(name)) return undefined;
  return (
    scope.typesByName.get(name) ?? scope.typesByFoldedName.get(foldName(name))
  );
}

/**
 * Finds the type with this name in a document. See {@link lookUpIgnoringCase}.
 */
export function findType(
  { scopes }: Pick<Program, "scopes">,
  document: LoadedDocument,
  name: string | undefined,
): DeclaredType | undefined {
  const scope = scopes.get(document.path);
  return scope && name !== undefined
    ? lookUpIgnoringCase(scope, name)
    : undefined;
}
