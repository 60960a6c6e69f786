import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Scope } from "../../2-check/program/program.js";
import { bindScope } from "../../2-check/program/scope.js";

interface CachedScope {
  readonly document: LoadedDocument;
  readonly imported: readonly (Scope | undefined)[];
  readonly scope: Scope;
}

/**
 * Creates a function that binds the names of documents. It binds a document
 * again only if the document or something that it imports, directly or
 * indirectly, has changed. Otherwise, it returns the same scope.
 */
export function createScopeCache(): typeof bindScope {
  const known = new Map<string, CachedScope>();
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
