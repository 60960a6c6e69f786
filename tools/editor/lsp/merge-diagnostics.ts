import type { Diagnostic } from "vscode-languageserver-protocol";
import type { Published } from "./session.js";

/**
 * Creates a function that adds what other projects have found in a document to
 * what one project publishes, because clients keep only the last message about a
 * document.
 */
export function createMerge(): (
  project: string,
  published: Published,
) => Published {
  const documents = new Map<string, Map<string, readonly Diagnostic[]>>();
  return (project, published) => {
    const { diagnostics, uri } = published;
    const found = documents.get(uri) ?? new Map<string, Diagnostic[]>();
    documents.set(uri, found);
    if (diagnostics.length > 0) found.set(project, diagnostics);
    else found.delete(project);
    if (found.size === 0) documents.delete(uri);
    // Fast path: usually, one project reads a document.
    if (found.size === Number(found.has(project))) return published;
    const all = [...found.values()].flat();
    const distinct = new Map(all.map((each) => [JSON.stringify(each), each]));
    return { ...published, diagnostics: [...distinct.values()] };
  };
}
