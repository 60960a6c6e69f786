import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findHeader } from "../notation/headers.js";
import { bindScope } from "./scope.js";
import { collectNodes } from "./nodes.js";
import type {
  CheckedHost,
  Declarations,
  Nodes,
  Program,
  Scope,
} from "./program.js";
import { reachedFrom } from "./reach.js";

/**
 * Binds the names of all documents. Imported documents must come before their
 * importers. Rules report unresolved names later. `bind` may cache scopes.
 */
export function bindProgram(
  entries: readonly string[],
  documents: readonly LoadedDocument[],
  bind: typeof bindScope = bindScope,
): Program {
  const scopes = new Map<string, Scope>();
  for (const document of documents) {
    scopes.set(document.path, bind(document, scopes));
  }
  const importedPaths = new Set(
    documents.flatMap((each) => each.imports.map((target) => target.path)),
  );
  const listed = new Set(entries);
  const hosts = bindHosts(listed, documents, scopes, importedPaths);
  const declared = listReached(listed, documents, scopes);
  const typesByDocument = declared.map(({ types }) => types);
  let nodes: Nodes | null = null;
  return {
    hosts,
    documents,
    scopes,
    importedPaths,
    types: typesByDocument.flat(),
    typesByDocument,
    errors: declared.flatMap(({ errors }) => errors),
    // An editor creates a program for each keystroke and rarely needs the
    // nodes.
    get nodes() {
      return (nodes ??= collectNodes(documents));
    },
  };
}

function bindHosts(
  entries: ReadonlySet<string>,
  documents: readonly LoadedDocument[],
  scopes: ReadonlyMap<string, Scope>,
  importedPaths: ReadonlySet<string>,
): readonly CheckedHost[] {
  const byPath = new Map(documents.map((each) => [each.path, each]));
  const candidates = [...entries].flatMap((path) => {
    const document = byPath.get(path);
    const services = scopes.get(path)?.services ?? [];
    return document ? [{ name: nameHost(document), document, services }] : [];
  });
  const serving = candidates.filter(({ services }) => services.length > 0);
  if (serving.length > 0) return serving;
  // A contract without services still needs a place for its output.
  return candidates.filter(({ document }) => !importedPaths.has(document.path));
}

function nameHost(document: LoadedDocument): string {
  const name = findHeader(document, "name")?.value.text;
  if (name) return name;
  const file = document.path.slice(document.path.lastIndexOf("/") + 1);
  return file.replace(/\.[^.]*$/, "");
}

/**
 * Lists what each document contributes: all of its declarations if it is an
 * entry, and otherwise those that an entry reaches.
 */
function listReached(
  entries: ReadonlySet<string>,
  documents: readonly LoadedDocument[],
  scopes: ReadonlyMap<string, Scope>,
): readonly Declarations[] {
  const reached = new Set<unknown>();
  for (const path of entries) {
    const scope = scopes.get(path);
    if (scope === undefined) continue;
    for (const each of reachedFrom(scope, scopes).others) reached.add(each);
  }
  return documents.flatMap(({ path }) => {
    const own = scopes.get(path)?.own;
    if (own === undefined || entries.has(path)) return own ?? [];
    return {
      types: own.types.filter((each) => reached.has(each)),
      errors: own.errors.filter((each) => reached.has(each)),
    };
  });
}
