import type { Method } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { groupBy } from "../../ir/group-by.js";
import { rememberEach } from "../../ir/remember.js";
import { isScalarName } from "../../ir/scalars.js";
import { metadataValue } from "../notation/metadata.js";
import { listErrorsWithData } from "../notation/error-data.js";
import { namesUsedBy } from "./nodes.js";
import type {
  Declarations,
  Declared,
  DeclaredError,
  DeclaredType,
  Program,
  Scope,
  TypeSyntax,
} from "./program.js";
import { foldName } from "./scope.js";

/** The declarations that an entry sees or requires. */
export interface Reached {
  readonly types: ReadonlySet<DeclaredType>;
  readonly errors: ReadonlySet<DeclaredError>;
  /** Declarations of other documents. */
  readonly others: readonly (DeclaredError | DeclaredType)[];
}

type Scopes = ReadonlyMap<string, Scope>;

/**
 * Returns everything that an entry sees, including indirect dependencies: if a
 * member import lists a type, the types that this type mentions are included
 * too. The result depends only on the scope, so it is cached as long as the
 * scope exists.
 */
export function reachedFrom(scope: Scope, scopes: Scopes): Reached {
  return cachedReach(scope)(scopes);
}

const cachedReach = rememberEach((scope: Scope) => {
  let known: Reached | null = null;
  return (scopes: Scopes): Reached => (known ??= follow(scope, scopes));
});

function follow(scope: Scope, scopes: Scopes): Reached {
  const types = new Set(scope.types);
  const errors = new Set<DeclaredError>();
  const addError = (error: DeclaredError): void => {
    errors.add(error);
    for (const type of dataTypesOf(error, scopes)) types.add(type);
  };
  scope.errors.forEach(addError);
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
      if (error) addError(error);
    }
  };
  for (const { syntax: service, document } of scope.services) {
    for (const syntax of service.methods) addMentioned({ syntax, document });
  }
  // The loop also visits types that it adds to the set, so it follows chains
  // to their end.
  for (const type of types) addMentioned(type);
  const own = new Set<unknown>([...scope.own.types, ...scope.own.errors]);
  const others = [...types, ...errors].filter((each) => !own.has(each));
  return { types, errors, others };
}

function errorsUsedBy(syntax: TypeSyntax | Method): readonly string[] {
  if (syntax.kind === "method") {
    return (syntax.errors ?? []).map(({ text }) => text);
  }
  const error =
    syntax.kind === "alias" ? metadataValue(syntax, "error") : undefined;
  return error === undefined ? [] : [error];
}

/** Returns the aliases that are the data of an error, next to which they are. */
export function dataTypesOf(
  { syntax, document }: DeclaredError,
  scopes: Scopes,
): readonly DeclaredType[] {
  const own = scopes.get(document.path)?.own;
  if (own === undefined) return [];
  return dataAliasesIn(own).get(syntax.name.text) ?? [];
}

/** The aliases of a document that are the data of errors, by error. */
const dataAliasesIn = rememberEach(({ types }: Declarations) => {
  const named = types.flatMap((type) =>
    type.syntax.kind === "alias"
      ? (listErrorsWithData(type.syntax) ?? []).map(({ text }) => ({
          text,
          type,
        }))
      : [],
  );
  return new Map(
    [...groupBy(named, ({ text }) => text)].map(([name, all]) => [
      name,
      all.map(({ type }) => type),
    ]),
  );
});

/**
 * Looks up a type for the key of a map or the body of a succinct message, where
 * webrpc ignores case. An exact match takes precedence.
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
 * Finds a type by its name in the scope of a document. See {@link
 * lookUpIgnoringCase}.
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
