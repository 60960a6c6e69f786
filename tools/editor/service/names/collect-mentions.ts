import type {
  Annotation,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  StructDeclaration,
  Typed,
  TypeExpression,
  Word,
} from "../../../../generator/1-parse/ast.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { startOf } from "../../../../generator/1-parse/start-of.js";
import { countWhile } from "../../../../generator/source/count-while.js";
import { dataKey } from "../../../../generator/2-check/notation/error-data.js";
import { foldName } from "../../../../generator/2-check/program/scope.js";
import { groupBy } from "../../../../generator/ir/group-by.js";
import { remember, rememberEach } from "../../../../generator/ir/remember.js";
import type { Meaning, Mention, NamedSyntax } from "./mention.js";

/** Lists the words of a document that have a meaning, in source order. */
export const mentionsOf = rememberEach(
  (document: LoadedDocument): readonly Mention[] =>
    collect(document, document.syntax.items).sort(compareStarts),
);

/**
 * Finds the words of a document that have one of these names, which are given
 * in lower case.
 */
export function findMentions(
  document: LoadedDocument,
  names: ReadonlySet<string>,
): readonly Mention[] {
  const known = new Map<string, boolean>();
  const isWanted = (text: string): boolean => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const isNamed = names.has(foldName(text));
    known.set(text, isNamed);
    return isNamed;
  };
  return collect(document, document.syntax.items, isWanted);
}

/**
 * Works like {@link findMentions}, but keeps an index of the document for
 * callers that look up many names.
 */
export function lookUpMentions(
  document: LoadedDocument,
  names: ReadonlySet<string>,
): readonly Mention[] {
  const byName = mentionsByName(document);
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

const mentionsByName = rememberEach((document: LoadedDocument) =>
  groupBy(mentionsOf(document), ({ text }) => foldName(text)),
);

/** Finds the word that contains an offset or ends there. */
export function mentionAt(
  document: LoadedDocument,
  offset: number,
): Mention | null {
  const { items } = document.syntax;
  const item = lastStarted(items, offset);
  if (item === undefined) return null;
  const mentions = mentionsIn(document, item);
  const mention = lastStarted(mentions, offset);
  return mention !== undefined && offset <= mention.span.end ? mention : null;
}

/** Finds the last of some nodes that start at an offset or before it. */
function lastStarted<Node extends Item | Mention>(
  nodes: readonly Node[],
  offset: number,
): Node | undefined {
  return nodes[countWhile(nodes, (node) => startOf(node) <= offset) - 1];
}

const mentionsIn = remember((document: LoadedDocument, item: Item) =>
  collect(document, [item]).sort(compareStarts),
);

function compareStarts(a: Mention, b: Mention): number {
  return a.span.start - b.span.start;
}

function collect(
  document: LoadedDocument,
  items: readonly Item[],
  isWanted = (text: string): boolean => text !== "",
): Mention[] {
  const collector = new Collector(document, isWanted);
  for (const item of items) collector.addItem(item);
  return collector.mentions;
}

// Documents mention many types and errors, so these meanings are shared.
const exactType: Meaning = { kind: "type", isLoose: false };
const looseType: Meaning = { kind: "type", isLoose: true };
const error: Meaning = { kind: "error" };

/** Fields in an address: `{id}`, and `notify` in `?notify&limit={size}`. */
const boundFieldPattern =
  /(?<!\s\d{3}=\{)(?<=\{)[^\s{},]+(?=,?\})|(?<=[?&])[^\s&={}?"]+(?=[\s&"]|$)/gu;

/** Outputs after a status: `order` in `200={order}`. */
const statusFieldPattern = /(?<=\s\d{3}=\{)[^\s{},]+(?=\})/gu;

/** Fields in headers: `language`, and `revision` in `If-Match={revision}`. */
const headerFieldPattern =
  /(?<=\{)[^\s{}]+(?=\})|(?<=(?:^|[",])\s*)\w+(?=\s*(?:[",]|$))/gu;

class Collector {
  readonly mentions: Mention[] = [];
  readonly #document: LoadedDocument;
  readonly #isWanted: (text: string) => boolean;

  constructor(document: LoadedDocument, isWanted: (text: string) => boolean) {
    this.#document = document;
    this.#isWanted = isWanted;
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
        return this.#addMetadata(item.metadata, item.type);
      case "struct":
        this.#declare(item);
        return item.fields.forEach((field) => this.#addField(field, item));
      case "service":
        this.#declare(item);
        return item.methods.forEach((method) => this.#addMethod(method));
    }
  }

  #add({ text, span }: Omit<Word, "isQuoted">, meaning: Meaning): void {
    if (this.#isWanted(text)) this.mentions.push({ span, text, meaning });
  }

  #declare(syntax: NamedSyntax): void {
    this.#add(syntax.name, { kind: "declaration", syntax });
    if (syntax.kind === "enum-member" || syntax.kind === "argument") return;
    for (const annotation of syntax.annotations) {
      const { name } = annotation;
      this.#add(name, { kind: "annotation", syntax: annotation });
    }
  }

  #addField(field: Field, struct: StructDeclaration): void {
    this.#declare(field);
    this.#addType(field.type);
    this.#addMetadata(field.metadata, field.type, struct);
  }

  #addMetadata(
    metadata: readonly Metadata[],
    type: TypeExpression,
    struct: StructDeclaration | null = null,
  ): void {
    const tag = metadata.find(({ key }) => key.text === "tag")?.value.text;
    const tagged = struct?.fields.find(({ name }) => name.text === tag);
    for (const entry of metadata) {
      const { key, value, variants = [] } = entry;
      this.#add(key, { kind: "metadata-key", syntax: entry });
      for (const variant of variants) {
        this.#addType(variant.type);
        for (const each of variant.values)
          if (tagged) this.#add(each, { kind: "value", type: tagged.type });
      }
      if (key.text === "enum")
        this.#addParts(value, /[^"|\s]+/g, { kind: "value", type });
      if (key.text === "known") this.#addTypeName(value, false);
      // On a field, it is a part of an error.
      if (key.text === "error" && struct === null) this.#add(value, error);
      // On a type, it is a name on the wire.
      if (key.text === "tag" && struct !== null)
        this.#add(value, { kind: "sibling", struct });
      if (key.text === dataKey) this.#addParts(value, /[^"|\s]+/g, error);
    }
  }

  #addTypeName(name: Word, isLoose: boolean): void {
    this.#add(name, isLoose ? looseType : exactType);
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
      const field = { kind: "request-field", method } as const;
      if (name.text === "auth")
        this.#addParts(value, /[^",|\s]+/g, { kind: "credential" });
      if (name.text === "body" || name.text === "responseStatus")
        this.#add(value, { kind: "body", method });
      if (name.text === "requestBody") this.#add(value, field);
      if (name.text === "get" || name.text === "http")
        this.#addParts(value, boundFieldPattern, field);
      if (name.text === "http")
        this.#addParts(value, statusFieldPattern, { kind: "body", method });
      if (name.text === "requestHeaders")
        this.#addParts(value, headerFieldPattern, field);
      if (name.text === "responseHeaders")
        this.#addParts(value, headerFieldPattern, { kind: "body", method });
      if (name.text === "resume") this.#addResume(value, method);
    }
    this.#addMessage(method.input);
    this.#addMessage(method.output);
    for (const name of method.errors ?? []) this.#add(name, error);
  }

  /** Adds the fields in `@resume:"after=message.id"`. */
  #addResume(value: Word, method: Method): void {
    const [argument, ...cursor] = this.#match(value, /[^"=.\s]+/gu);
    if (argument) this.#add(argument, { kind: "request-field", method });
    const names = cursor.map(({ text }) => text);
    for (const [index, part] of cursor.entries()) {
      const within = names.slice(0, index);
      this.#add(part, { kind: "body", method, within });
    }
  }

  #addMessage({ arguments: list, succinct }: Message): void {
    if (succinct) this.#addTypeName(succinct, true);
    for (const argument of list) this.#addArgument(argument);
  }

  #addArgument(argument: Message["arguments"][number] & Typed): void {
    this.#declare(argument);
    this.#addType(argument.type);
  }

  /** Adds several words of one value, such as that of `@auth`. */
  #addParts(
    value: Annotation["name"],
    pattern: RegExp,
    meaning: Meaning,
  ): void {
    for (const { text, span } of this.#match(value, pattern)) {
      this.#add({ text, span }, meaning);
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
