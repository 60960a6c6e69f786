import type { Item } from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Revision } from "../../../../generator/1-parse/load/revise-document.js";
import { collectNodes } from "../../../../generator/2-check/program/nodes.js";
import type {
  Program,
  Scope,
} from "../../../../generator/2-check/program/program.js";
import type { Diagnostic } from "../../../../generator/diagnostics/diagnostic.js";
import { moveDiagnostic } from "../../../../generator/diagnostics/move-diagnostic.js";
import { hasSameItems } from "../../../../generator/ir/has-same-items.js";

/** Applies a set of rules, keyed by code, to a program. */
type Apply<Rules> = (program: Program, rules: Rules) => readonly Diagnostic[];

/** Rules by how much of a program their findings depend on. */
export interface RulesByScope<Rules> {
  /** Rules that depend on one declaration and what its names refer to. */
  readonly declaration: Rules;
  /** Rules that depend on a whole document and its imports. */
  readonly document: Rules;
}

/** The results that are kept for a document. */
interface CheckedDocument {
  readonly document: LoadedDocument;
  readonly imported: readonly (Scope | undefined)[];
  /** Findings by declaration, or null if there are too many. */
  readonly own: ReadonlyMap<Item, readonly Diagnostic[]> | null;
  /** Declarations that have not been checked. */
  readonly pending: readonly Item[];
  /**
   * All findings and the scope that they were found in, or null if out of date.
   */
  readonly found: {
    readonly scope: Scope;
    readonly diagnostics: readonly Diagnostic[];
  } | null;
}

/** All findings in a document, both as one list and by declaration. */
interface DocumentFindings extends Pick<CheckedDocument, "own"> {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Maximum number of findings that are cached by declaration. If there are many
 * findings, some rules report less about each one.
 */
const maxCachedFindings = 20;

/**
 * Applies rules to documents, and remembers findings that no change can have
 * affected. If neither a document nor anything that it can see has changed, all
 * of its findings are kept. If only the contents of structs and services have
 * changed, the findings in its other declarations are kept.
 */
export class DocumentChecker<Rules extends object> {
  readonly #apply: Apply<Partial<Rules>>;
  readonly #rules: RulesByScope<Partial<Rules>>;
  readonly #checked = new Map<string, CheckedDocument>();

  constructor(
    apply: Apply<Partial<Rules>>,
    rules: RulesByScope<Partial<Rules>>,
  ) {
    this.#apply = apply;
    this.#rules = rules;
  }

  /** Records a change to a document for the next time it is checked. */
  follow(document: LoadedDocument, revision: Revision | null): void {
    const checked = this.#checked.get(document.path);
    if (checked === undefined || checked.document === document) return;
    const followed = revision && follow(checked, document, revision);
    if (followed) this.#checked.set(document.path, followed);
    else this.#checked.delete(document.path);
  }

  /** Returns the findings in one document of a program. */
  check(
    program: Program,
    document: LoadedDocument,
    revision: Revision | null,
  ): readonly Diagnostic[] {
    this.follow(document, revision);
    const { path } = document;
    const scope = program.scopes.get(path);
    if (scope === undefined)
      return this.#checkAll(program, document).diagnostics;
    const before = this.#checked.get(path);
    if (before?.found?.scope === scope) return before.found.diagnostics;
    const imported = document.imports.map((each) =>
      program.scopes.get(each.path),
    );
    const seesSame = before && hasSameItems(before.imported, imported);
    const { diagnostics, own } =
      (seesSame && this.#checkPending(program, before)) ||
      this.#checkAll(program, document);
    const found = { scope, diagnostics };
    this.#checked.set(path, { document, imported, own, pending: [], found });
    return diagnostics;
  }

  #checkAll(program: Program, document: LoadedDocument): DocumentFindings {
    const { declaration } = this.#rules;
    const only = limitTo(program, document);
    const found = this.#apply(only, declaration);
    const diagnostics = [...found, ...this.#apply(only, this.#rules.document)];
    if (found.length > maxCachedFindings) return { diagnostics, own: null };
    const codes = new Set(found.map(({ code }) => code));
    const rules = { ...declaration };
    for (const code in rules) if (!codes.has(code)) delete rules[code];
    const own = new Map<Item, readonly Diagnostic[]>();
    if (codes.size > 0) {
      for (const item of document.syntax.items) {
        this.#checkItem(program, document, item, rules, own);
      }
    }
    return { diagnostics, own };
  }

  /**
   * Checks only what has changed. Returns null if everything must be checked.
   */
  #checkPending(
    program: Program,
    { document, own: before, pending }: CheckedDocument,
  ): DocumentFindings | null {
    if (before === null) return null;
    const own = new Map(before);
    const { items } = document.syntax;
    // Methods depend on the fields of their messages.
    const services = items.filter(({ kind }) => kind === "service");
    for (const item of new Set([...pending, ...services])) {
      own.delete(item);
      this.#checkItem(program, document, item, this.#rules.declaration, own);
    }
    const found = [...own.values()].flat();
    if (found.length > maxCachedFindings) return null;
    const only = limitTo(program, document);
    const shared = this.#apply(only, this.#rules.document);
    return { diagnostics: [...found, ...shared], own };
  }

  #checkItem(
    program: Program,
    document: LoadedDocument,
    item: Item,
    rules: Partial<Rules>,
    own: Map<Item, readonly Diagnostic[]>,
  ): void {
    const syntax = { ...document.syntax, items: [item] };
    const part = limitTo(program, { ...document, syntax });
    const found = this.#apply(part, rules);
    if (found.length > 0) own.set(item, found.map(detach));
  }
}

/**
 * Returns a program in which rules examine only one document. It does not copy
 * all properties, because that would compute the nodes of all documents.
 */
function limitTo(program: Program, document: LoadedDocument): Program {
  const { errors, hosts, importedPaths, scopes, types } = program;
  const documents = [document];
  return {
    errors,
    hosts,
    importedPaths,
    scopes,
    types,
    typesByDocument: program.typesByDocument,
    documents,
    nodes: collectNodes(documents),
  };
}

/**
 * Copies the locations of a diagnostic, because those in the syntax tree change
 * when the tree is revised.
 */
function detach(diagnostic: Diagnostic): Diagnostic {
  const source = diagnostic.location?.source;
  if (source === undefined) return diagnostic;
  const change = { span: { start: 0, end: 0 }, delta: 0 };
  const same = { before: source, after: source, change };
  return moveDiagnostic(diagnostic, same) ?? diagnostic;
}

/**
 * Moves remembered findings to a new revision. Returns null if findings
 * elsewhere may depend on what changed.
 */
function follow(
  { document: before, imported, own, pending }: CheckedDocument,
  document: LoadedDocument,
  revision: Revision,
): CheckedDocument | null {
  const { added, earlier, removed } = revision;
  const isNext =
    own !== null &&
    earlier === before &&
    revision.document === document &&
    earlier.isBroken === document.isBroken &&
    removed.length === added.length &&
    removed.every((item, index) => hasSameHead(item, added[index]));
  if (!isNext) return null;
  const gone = new Set(removed);
  const moved = new Map<Item, readonly Diagnostic[]>();
  for (const [item, diagnostics] of own) {
    // Services are always checked again.
    if (gone.has(item) || item.kind === "service") continue;
    const all = diagnostics.map((each) => moveDiagnostic(each, revision));
    const kept = all.filter((each) => each !== null);
    if (kept.length < all.length) return null;
    moved.set(item, kept);
  }
  const waiting = pending.filter((item) => !gone.has(item));
  return {
    document,
    imported,
    own: moved,
    pending: [...waiting, ...added],
    found: null,
  };
}

/** Whether two declarations look the same to others that refer to them. */
function hasSameHead(before: Item, after: Item | undefined): boolean {
  if (before.kind !== "struct" && before.kind !== "service") return false;
  return after?.kind === before.kind && headOf(before) === headOf(after);
}

function headOf({
  annotations,
  name,
}: Extract<Item, { kind: "struct" | "service" }>): string {
  const words = annotations.map((each) => [each.name.text, each.value?.text]);
  return JSON.stringify([name.text, words]);
}
