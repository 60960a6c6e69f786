import type {
  Annotation,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  Typed,
  TypeExpression,
  Word,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { foldName } from "../../2-check/program/scope.js";
import { rememberEach } from "../../ir/remember.js";
import type { Meaning, Mention, NamedSyntax } from "./mention.js";

/** Lists the words of a document that have a meaning, in source order. */
export const mentionsOf = rememberEach(
  (document: LoadedDocument): readonly Mention[] => {
    const collector = new Collector(document);
    document.syntax.items.forEach((item) => collector.addItem(item));
    return collector.mentions.sort((a, b) => a.span.start - b.span.start);
  },
);

/** Groups the mentions of a document by their text in lower case. */
export const mentionsByName = rememberEach(
  (document: LoadedDocument): ReadonlyMap<string, readonly Mention[]> => {
    const byName = new Map<string, Mention[]>();
    for (const mention of mentionsOf(document)) {
      const key = foldName(mention.text);
      const known = byName.get(key);
      if (known === undefined) byName.set(key, [mention]);
      else known.push(mention);
    }
    return byName;
  },
);

/** Finds the word that contains an offset or ends there. */
export function mentionAt(
  document: LoadedDocument,
  offset: number,
): Mention | null {
  const mentions = mentionsOf(document);
  let low = 0;
  let high = mentions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((mentions[middle]?.span.start ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  const mention = mentions[low - 1];
  return mention !== undefined && offset <= mention.span.end ? mention : null;
}

class Collector {
  readonly mentions: Mention[] = [];
  readonly #document: LoadedDocument;

  constructor(document: LoadedDocument) {
    this.#document = document;
  }

  addItem(item: Item): void {
    switch (item.kind) {
      case "header":
        return this.#add(item.key, { kind: "header-key" });
      case "import": {
        const target = this.#document.imports.find(
          ({ syntax }) => syntax === item,
        );
        if (target === undefined) return;
        this.#add(item.path, { kind: "import", target });
        for (const member of item.members) {
          this.#add(member, { kind: "import-member", target });
        }
        return;
      }
      case "error":
        return this.#declare(item);
      case "enum":
        this.#declare(item);
        this.#addTypeName(item.base, false);
        return item.members.forEach((member) => this.#declare(member));
      case "alias":
        this.#declare(item);
        this.#addType(item.type);
        return this.#addMetadata(item.metadata);
      case "struct":
        this.#declare(item);
        return item.fields.forEach((field) => this.#addField(field));
      case "service":
        this.#declare(item);
        return item.methods.forEach((method) => this.#addMethod(method));
    }
  }

  #add({ text, span }: Omit<Word, "isQuoted">, meaning: Meaning): void {
    if (text !== "") this.mentions.push({ span, text, meaning });
  }

  #declare(syntax: NamedSyntax): void {
    this.#add(syntax.name, { kind: "declaration", syntax });
    if (syntax.kind === "enum-member" || syntax.kind === "argument") return;
    for (const annotation of syntax.annotations) {
      const { name } = annotation;
      this.#add(name, { kind: "annotation", syntax: annotation });
    }
  }

  #addField(field: Field): void {
    this.#declare(field);
    this.#addType(field.type);
    this.#addMetadata(field.metadata);
  }

  #addMetadata(metadata: readonly Metadata[]): void {
    for (const entry of metadata) {
      const { key, value } = entry;
      this.#add(key, { kind: "metadata-key", syntax: entry });
      if (key.text === "known") this.#addTypeName(value, false);
      if (key.text === "error") this.#add(value, { kind: "error" });
    }
  }

  #addTypeName(name: Word, isLoose: boolean): void {
    this.#add(name, { kind: "type", isLoose });
  }

  #addType(type: TypeExpression, isLoose = false): void {
    switch (type.kind) {
      case "name":
        return this.#addTypeName(type.name, isLoose);
      case "list":
        return this.#addType(type.element);
      case "map":
        this.#addType(type.key, true);
        return this.#addType(type.value);
    }
  }

  #addMethod(method: Method): void {
    this.#declare(method);
    for (const { name, value } of method.annotations) {
      if (value === undefined) continue;
      if (name.text === "auth")
        this.#addParts(value, /[^",\s]+/g, "credential");
      if (name.text === "body") this.#add(value, { kind: "body", method });
      if (name.text === "get") this.#addPath(value, method);
    }
    this.#addMessage(method.input);
    this.#addMessage(method.output);
    for (const error of method.errors ?? [])
      this.#add(error, { kind: "error" });
  }

  #addMessage({ arguments: list, succinct }: Message): void {
    if (succinct) this.#addTypeName(succinct, true);
    for (const argument of list) this.#addArgument(argument);
  }

  #addArgument(argument: Message["arguments"][number] & Typed): void {
    this.#declare(argument);
    this.#addType(argument.type);
  }

  /** Adds several words of one string, such as the value of `@auth`. */
  #addParts(
    value: Annotation["name"],
    pattern: RegExp,
    kind: "credential",
  ): void {
    for (const { text, span } of this.#match(value, pattern)) {
      this.#add({ text, span }, { kind });
    }
  }

  #addPath(value: Word, method: Method): void {
    for (const { text, span } of this.#match(value, /(?<=\{)\w+(?=\})/g)) {
      this.#add({ text, span }, { kind: "path-parameter", method });
    }
  }

  #match({ span }: Word, pattern: RegExp): Omit<Word, "isQuoted">[] {
    const written = this.#document.syntax.source.text.slice(
      span.start,
      span.end,
    );
    return [...written.matchAll(pattern)].map(({ 0: text, index }) => {
      const start = span.start + index;
      return { text, span: { start, end: start + text.length } };
    });
  }
}
