import { loadDocuments } from "../../1-parse/load/load-documents.js";
import { foldName } from "../../2-check/program/scope.js";
import { mentionsOf } from "../../language-service/names/collect-mentions.js";
import { typeId } from "./entries.js";

/**
 * Returns the ids of types and errors that documents use and that neither they
 * nor the documents that they import declare. Built-in names are part of it.
 */
export function findMissing(
  texts: ReadonlyMap<string, string>,
  read: (path: string) => string | null,
): readonly string[] {
  const loaded = loadDocuments([...texts.keys()], {
    read: (path) => texts.get(path) ?? read(path),
  });
  const declared = new Set<string>();
  const used = new Set<string>();
  for (const document of loaded.values()) {
    if (document === null) continue;
    const isMerged = texts.has(document.path);
    for (const { meaning, text } of mentionsOf(document)) {
      if (meaning.kind === "declaration") {
        const { kind } = meaning.syntax;
        if (kind === "error") declared.add(errorId(text));
        if (kind === "alias" || kind === "enum" || kind === "struct") {
          declared.add(typeId(text));
        }
      }
      if (!isMerged) continue;
      if (meaning.kind === "type") used.add(typeId(text));
      if (meaning.kind === "error") used.add(errorId(text));
    }
  }
  return [...used].filter((id) => !declared.has(id));
}

function errorId(name: string): string {
  return `error ${foldName(name)}`;
}
