import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { DocumentEdit } from "../model/results.js";
import { insertBehind, replaceText } from "../model/document-edits.js";
import type { Declarations } from "../../../../generator/2-check/program/program.js";
import { relativePath } from "../../../../generator/source/relative-path.js";
import type { CompletionScope } from "./line-context.js";

/** A declaration and the edits that are necessary to use it. */
export interface Importable<Item> {
  readonly symbol: Item;
  readonly edits: readonly DocumentEdit[];
  /**
   * 0 for a declaration of the document itself, 1 for an imported one, and 3
   * for one that needs an import.
   */
  readonly rank: 0 | 1 | 3;
}

/**
 * Finds the declarations with wanted names that a document can refer to,
 * including those that need another import.
 */
export function findImportable<Kind extends keyof Declarations>(
  document: LoadedDocument,
  { workspace }: CompletionScope,
  kind: Kind,
  isWanted: (name: string) => boolean,
): readonly Importable<Declarations[Kind][number]>[] {
  const found: Importable<Declarations[Kind][number]>[] = [];
  const known = new Set<string>();
  const scope: Declarations | undefined = workspace
    .partOf(document.path)
    ?.program.scopes.get(document.path);
  for (const symbol of scope?.[kind] ?? []) {
    const name = symbol.syntax.name.text;
    if (!isWanted(name)) continue;
    known.add(name);
    const rank = symbol.document === document ? 0 : 1;
    found.push({ symbol, edits: [], rank });
  }
  for (const { program } of workspace.parts) {
    for (const other of program.documents) {
      if (reaches(other, document.path, workspace)) continue;
      const importName = createImport(document, other.path);
      if (importName === null) continue;
      const own = program.scopes.get(other.path)?.own;
      for (const symbol of own?.[kind] ?? []) {
        const name = symbol.syntax.name.text;
        if (!isWanted(name) || known.has(name)) continue;
        known.add(name);
        const edits = [importName(name)];
        found.push({ symbol, edits, rank: 3 });
      }
    }
  }
  return found;
}

/**
 * Whether a document is the same as another one, or imports it, directly or
 * indirectly.
 */
function reaches(
  from: LoadedDocument,
  path: string,
  { documentAt }: CompletionScope["workspace"],
): boolean {
  const pending = new Set([from.path]);
  // The loop also visits elements that it adds to the set.
  for (const each of pending) {
    if (each === path) return true;
    for (const target of documentAt(each)?.imports ?? []) {
      pending.add(target.path);
    }
  }
  return false;
}

/**
 * Creates a function that returns the edit that imports a name from the target.
 * The edit adds the name to an existing import of the target, or adds an import
 * below the others. Returns null if the document cannot import the target.
 */
function createImport(
  document: LoadedDocument,
  target: string,
): ((name: string) => DocumentEdit) | null {
  const { path, syntax, imports } = document;
  const existing = imports.find(
    (each) => each.path === target && each.syntax.members.length > 0,
  )?.syntax;
  if (existing) {
    return (name) => insertBehind(document, existing.span.end, `\n  - ${name}`);
  }
  const imported = relativePath(path, target);
  if (imported === null) return null;
  const line = `import "${imported}"`;
  const header = syntax.items.findLast(({ kind }) => kind === "header");
  const last = syntax.items.findLast(({ kind }) => kind === "import");
  const edit = last
    ? insertBehind(document, last.span.end, `\n${line}`)
    : header
      ? insertBehind(document, header.span.end, `\n\n${line}`)
      : replaceText(document, 0, 0, `${line}\n\n`);
  return () => edit;
}
