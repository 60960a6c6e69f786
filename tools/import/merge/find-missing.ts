import { loadDocuments } from "../../../generator/1-parse/load/load-documents.js";
import { foldName } from "../../../generator/2-check/program/scope.js";
import { mentionsOf } from "../../editor/service/names/collect-mentions.js";
import type {
  Meaning,
  NamedSyntax,
} from "../../editor/service/names/mention.js";
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
        const id = idOfDeclared[meaning.syntax.kind]?.(text);
        if (id !== undefined) declared.add(id);
      } else if (isMerged) {
        const id = idOfUsed[meaning.kind]?.(text);
        if (id !== undefined) used.add(id);
      }
    }
  }
  return [...used].filter((id) => !declared.has(id));
}

type IdOf = ((name: string) => string) | null;

const idOfDeclared = {
  alias: typeId,
  enum: typeId,
  struct: typeId,
  error: errorId,
  argument: null,
  "enum-member": null,
  field: null,
  method: null,
  service: null,
} as const satisfies Readonly<Record<NamedSyntax["kind"], IdOf>>;

const idOfUsed = {
  type: typeId,
  error: errorId,
  annotation: null,
  body: null,
  credential: null,
  "header-key": null,
  import: null,
  "import-member": null,
  "metadata-key": null,
  "request-field": null,
  sibling: null,
  value: null,
} as const satisfies Readonly<
  Record<Exclude<Meaning["kind"], "declaration">, IdOf>
>;

function errorId(name: string): string {
  return `error ${foldName(name)}`;
}
