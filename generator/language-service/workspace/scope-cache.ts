import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Scope } from "../../2-check/program/program.js";
import { bindScope } from "../../2-check/program/scope.js";

interface Bound {
  readonly document: LoadedDocument;
  readonly imported: readonly (Scope | undefined)[];
  readonly scope: Scope;
}

/**
 * Binds the names of documents, each again only when it or something that it
 * imports, directly or not, has changed. So a scope is the same object as long
 * as nothing has changed that a document can see.
 */
export function createScopeCache(): typeof bindScope {
  const known = new Map<string, Bound>();
  return (document, scopes) => {
    const imported = document.imports.map(({ path }) => scopes.get(path));
    const before = known.get(document.path);
    const isSame =
      before?.document === document &&
      imported.every((scope, index) => scope === before.imported[index]);
    if (isSame) return before.scope;
    const scope = bindScope(document, scopes);
    known.set(document.path, { document, imported, scope });
    return scope;
  };
}
