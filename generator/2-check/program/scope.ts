import type { Word } from "../../1-parse/ast.js";
import type {
  LoadedDocument,
  LoadedImport,
} from "../../1-parse/load/load-documents.js";
import type {
  Declared,
  DeclaredError,
  DeclaredService,
  DeclaredType,
  Scope,
} from "./program.js";

/** Collects the declarations that a document can use, each once. */
export function bindScope(
  document: LoadedDocument,
  scopes: ReadonlyMap<string, Scope>,
): Scope {
  const types = new Set<DeclaredType>();
  const errors = new Set<DeclaredError>();
  const services = new Set<DeclaredService>();
  const ownTypes: DeclaredType[] = [];
  const ownErrors: DeclaredError[] = [];
  let isComplete = true;
  for (const each of document.imports) {
    const imported = scopes.get(each.path);
    isComplete &&= imported?.isComplete ?? false;
    if (imported === undefined) continue;
    addSelected(types, imported.types, each);
    addSelected(errors, imported.errors, each);
    addSelected(services, imported.services, each);
  }
  for (const syntax of document.syntax.items) {
    switch (syntax.kind) {
      case "alias":
      case "enum":
      case "struct":
        ownTypes.push({ syntax, document });
        break;
      case "error":
        ownErrors.push({ syntax, document });
        break;
      case "service":
        services.add({ syntax, document });
        break;
      case "header":
      case "import":
        break;
    }
  }
  for (const type of ownTypes) types.add(type);
  for (const error of ownErrors) errors.add(error);
  return {
    own: { types: ownTypes, errors: ownErrors },
    types: [...types],
    errors: [...errors],
    services: [...services],
    typesByName: firstByName(types, (name) => name),
    typesByFoldedName: firstByName(types, foldName),
    errorsByName: firstByName(errors, (name) => name),
    isComplete,
  };
}

function addSelected<Item extends Declared<{ readonly name: Word }>>(
  target: Set<Item>,
  items: readonly Item[],
  { syntax }: LoadedImport,
): void {
  const selected = new Set(syntax.members.map((member) => member.text));
  for (const item of items) {
    const isSelected =
      selected.size === 0 || selected.has(item.syntax.name.text);
    if (isSelected) target.add(item);
  }
}

function firstByName<Item extends Declared<{ readonly name: Word }>>(
  items: ReadonlySet<Item>,
  keyOf: (name: string) => string,
): ReadonlyMap<string, Item> {
  const first = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item.syntax.name.text);
    if (!first.has(key)) first.set(key, item);
  }
  return first;
}

/** Folds the case of a name for case-insensitive comparison. */
export function foldName(name: string): string {
  return name.toLowerCase();
}
