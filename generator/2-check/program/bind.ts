import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { findHeader } from "../notation/headers.js";
import { bindScope } from "./scope.js";
import { collectNodes } from "./nodes.js";
import type {
  CheckedHost,
  Declared,
  Nodes,
  Program,
  Scope,
} from "./program.js";
import { reachableFrom } from "./reach.js";

/**
 * Binds the names of all documents. Rules report unresolved names later.
 * Callers can pass a `bind` that caches scopes. Input: normalized paths of the
 * entries, and documents in an order that puts imported documents first.
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
  const reached = reachableFrom(
    documents.filter(({ path }) => listed.has(path)),
    scopes,
  );
  let nodes: Nodes | null = null;
  return {
    hosts,
    documents,
    scopes,
    importedPaths,
    types: inDocumentOrder(
      documents,
      scopes,
      reached.types,
      ({ types }) => types,
    ),
    errors: inDocumentOrder(
      documents,
      scopes,
      reached.errors,
      ({ errors }) => errors,
    ),
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
  return [...entries].flatMap((path) => {
    const document = byPath.get(path);
    const services = scopes.get(path)?.services ?? [];
    if (document === undefined) return [];
    if (services.length === 0 && importedPaths.has(path)) return [];
    return [{ name: nameHost(document), document, services }];
  });
}

function nameHost(document: LoadedDocument): string {
  const name = findHeader(document, "name")?.value.text;
  if (name) return name;
  const file = document.path.slice(document.path.lastIndexOf("/") + 1);
  return file.replace(/\.[^.]*$/, "");
}

/** Sorts by document, with imported documents first, and then by position. */
function inDocumentOrder<Item extends Declared<unknown>>(
  documents: readonly LoadedDocument[],
  scopes: ReadonlyMap<string, Scope>,
  reached: ReadonlySet<Item>,
  listItems: (scope: Scope) => readonly Item[],
): readonly Item[] {
  return documents.flatMap((document) => {
    const scope = scopes.get(document.path);
    // A scope lists the declarations of its document in source order.
    return (scope ? listItems(scope) : []).filter(
      (item) => item.document === document && reached.has(item),
    );
  });
}
