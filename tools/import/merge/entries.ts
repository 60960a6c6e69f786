import type { Comment, Item } from "../../../generator/1-parse/ast.js";
import { startOf } from "../../../generator/1-parse/start-of.js";
import type { LoadedDocument } from "../../../generator/1-parse/load/load-documents.js";
import { foldName } from "../../../generator/2-check/program/scope.js";
import { LineIndex } from "../../../generator/source/line-index.js";
import type { Location, Span } from "../../../generator/source/source.js";
import { type MemberSyntax, type Parts, partsOf } from "./parts.js";
import type { Version } from "./version.js";

/** An item of a document, or a member of one. */
export interface MergeableEntry {
  /** Identifies the entry in all versions. */
  readonly id: string;
  readonly kind: Item["kind"] | MemberSyntax["kind"] | "comment";
  /** The name for messages, e.g. `Order.total`. */
  readonly label: string;
  /** The path of its document, or the id of its declaration. */
  readonly home: string;
  /** Blank lines, and comments that belong to nothing, above the entry. */
  readonly before: readonly string[];
  /** Its lines without those of its members. */
  readonly lines: readonly string[];
  readonly parts: Parts;
  /** The place of the name. */
  readonly location: Location;
}

/** The entries of a version. */
export interface Entries {
  /** In the order of the documents. */
  readonly all: readonly MergeableEntry[];
  readonly byId: ReadonlyMap<string, MergeableEntry>;
  readonly byHome: ReadonlyMap<string, readonly MergeableEntry[]>;
  /** Entries with the same id as one before them. */
  readonly repeated: readonly MergeableEntry[];
}

/**
 * Lists the entries of a version. Its documents are formatted. `methodIds` has an
 * id for each method, because its name and its document do not identify it.
 */
export function listEntries(
  version: Version,
  methodIds: readonly string[],
): Entries {
  const all: MergeableEntry[] = [];
  const byId = new Map<string, MergeableEntry>();
  const byHome = new Map<string, MergeableEntry[]>();
  const repeated: MergeableEntry[] = [];
  const ids = methodIds.values();
  for (const document of version.documents) {
    for (const entry of new EntryReader(document, ids).read()) {
      all.push(entry);
      if (byId.has(entry.id)) repeated.push(entry);
      byId.set(entry.id, entry);
      const siblings = byHome.get(entry.home) ?? [];
      siblings.push(entry);
      byHome.set(entry.home, siblings);
    }
  }
  return { all, byId, byHome, repeated };
}

type ReadSyntax = Item | MemberSyntax;

class EntryReader {
  readonly #entries: MergeableEntry[] = [];
  readonly #document: LoadedDocument;
  readonly #lines: LineIndex;
  readonly #methodIds: Iterator<string>;
  /** Comments by their lines. */
  readonly #comments: ReadonlyMap<number, Comment>;
  /** The last line that belongs to an entry. */
  #last = 0;

  constructor(document: LoadedDocument, methodIds: Iterator<string>) {
    this.#methodIds = methodIds;
    const { comments, source } = document.syntax;
    this.#document = document;
    const lines = new LineIndex(source.text);
    this.#lines = lines;
    this.#comments = new Map(
      comments.map((comment) => [lines.lineOf(comment.span.start), comment]),
    );
  }

  read(): readonly MergeableEntry[] {
    const { path, syntax } = this.#document;
    const [first] = syntax.items;
    const end = [...this.#comments.keys()].at(-1) ?? 0;
    if (first !== undefined) this.#addDescription(first);
    for (const item of syntax.items) {
      const { id, label } = nameItem(item, path);
      this.#add(item, { id, label, home: path }, membersOf(item)[0]);
      for (const member of membersOf(item)) {
        const { text } = member.name;
        const isMethod = member.kind === "method";
        const own = isMethod ? this.#nextMethodId() : `${id}.${text}`;
        const name = { id: own, label: `${label}.${text}`, home: id };
        this.#add(member, name, undefined);
      }
    }
    if (end > this.#last) this.#addComment("end", end);
    return this.#entries;
  }

  #nextMethodId(): string {
    const { done, value } = this.#methodIds.next();
    if (done === true) throw new Error("a method has no id");
    return value;
  }

  /** A comment at the beginning describes the document. */
  #addDescription(first: Item): void {
    let last = this.#beginOf(first) - 1;
    while (last > 0 && !this.#comments.has(last)) last--;
    if (last > 0) this.#addComment("description", last);
  }

  /** Adds the lines up to this one, which contain comments. */
  #addComment(name: "description" | "end", last: number): void {
    const { path } = this.#document;
    const { source } = this.#document.syntax;
    const lines = this.#slice(this.#last + 1, last);
    this.#last = last;
    this.#entries.push({
      id: `${name} ${path}`,
      kind: "comment",
      label: path,
      home: path,
      before: [],
      lines,
      parts: new Map([["comment", lines.join("\n")]]),
      location: { source, span: { start: 0, end: 1 } },
    });
  }

  #add(
    syntax: ReadSyntax,
    name: Pick<MergeableEntry, "id" | "label" | "home">,
    member: MemberSyntax | undefined,
  ): void {
    const begin = Math.max(this.#beginOf(syntax), this.#last + 1);
    const before = this.#slice(this.#last + 1, begin - 1);
    // The lines between the head and the first member belong to the member.
    const end =
      member === undefined
        ? this.#lines.lineOf(Math.max(0, syntax.span.end - 1))
        : this.#lines.lineOf(headEndOf(syntax));
    this.#last = Math.max(end, begin);
    const lines = this.#slice(begin, this.#last);
    const comments = Array.from(
      { length: this.#last - begin + 1 },
      (_, index) => this.#comments.get(begin + index),
    ).filter((comment) => comment !== undefined);
    const { source } = this.#document.syntax;
    this.#entries.push({
      ...name,
      kind: syntax.kind,
      before,
      lines,
      parts: partsOf(syntax, comments, source.text),
      location: { source, span: nameSpan(syntax) },
    });
  }

  /** Returns the first line of an item, its annotations and its comments. */
  #beginOf(syntax: ReadSyntax): number {
    let line = this.#lines.lineOf(startOf(syntax));
    while (this.#comments.get(line - 1)?.isTrailing === false) line--;
    return line;
  }

  #slice(first: number, last: number): string[] {
    const count = Math.max(0, last - first + 1);
    return Array.from({ length: count }, (_, index) =>
      this.#lines.textOf(first + index),
    );
  }
}

/** Returns the members of an item. */
export function membersOf(item: Item): readonly MemberSyntax[] {
  switch (item.kind) {
    case "enum":
      return item.members;
    case "struct":
      return item.fields;
    case "service":
      return item.methods;
    case "alias":
    case "error":
    case "header":
    case "import":
      return [];
  }
}

function headEndOf(syntax: ReadSyntax): number {
  return nameSpan(syntax).end;
}

/** Returns the place of what names an item or a member. */
export function nameSpan(syntax: ReadSyntax): Span {
  switch (syntax.kind) {
    case "header":
      return syntax.key.span;
    case "import":
      return syntax.path.span;
    case "alias":
    case "enum":
    case "enum-member":
    case "error":
    case "field":
    case "method":
    case "service":
    case "struct":
      return syntax.name.span;
  }
}

function nameItem(
  item: Item,
  path: string,
): Pick<MergeableEntry, "id" | "label"> {
  switch (item.kind) {
    case "header":
      return { id: `header ${path} ${item.key.text}`, label: item.key.text };
    case "import":
      return { id: `import ${path} ${item.path.text}`, label: item.path.text };
    case "error":
    case "service": {
      const { text } = item.name;
      return { id: `${item.kind} ${foldName(text)}`, label: text };
    }
    case "alias":
    case "enum":
    case "struct": {
      const { text } = item.name;
      return { id: typeId(text), label: text };
    }
  }
}

/** Returns the id of a type. The names of types differ in more than case. */
export function typeId(name: string): string {
  return `type ${foldName(name)}`;
}
