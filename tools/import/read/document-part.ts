import type { FormNode } from "../../../generator/1-parse/form/form-node.js";
import type { Location, Source } from "../../../generator/source/source.js";

/** A value in a document, with its place. */
export class DocumentPart {
  readonly node: FormNode;
  readonly source: Source;
  readonly key: string;
  readonly #parent: DocumentPart | null;
  #pointer: string | null = null;

  constructor(
    node: FormNode,
    source: Source,
    parent: DocumentPart | null = null,
    key = "",
  ) {
    this.node = node;
    this.source = source;
    this.key = key;
    this.#parent = parent;
  }

  /** The JSON pointer, e.g. `#/paths/~1orders/get`. */
  get pointer(): string {
    this.#pointer ??= this.#parent
      ? `${this.#parent.pointer}/${this.key.replaceAll("~", "~0").replaceAll("/", "~1")}`
      : "#";
    return this.#pointer;
  }

  /** Whether the place is that of a shared schema, which has a name. */
  get isSharedSchema(): boolean {
    return /\/(?:schemas|definitions|\$defs)\/[^/]+$/u.test(this.pointer);
  }

  /** Identifies the value among all files. */
  get id(): string {
    return this.source.path + this.pointer;
  }

  /** The place in the text: a key, or the whole of a short value. */
  get location(): Location {
    const { source, node } = this;
    const parent = this.#parent?.node;
    const entry =
      parent?.kind === "map" ? parent.entries.get(this.key) : undefined;
    const isShort = node.kind === "text" || node.kind === "null";
    return { source, span: isShort ? node.span : (entry?.key ?? node).span };
  }

  /** Returns the value of a key, or null if it is absent. */
  get(key: string): DocumentPart | null {
    if (this.node.kind !== "map") return null;
    const entry = this.node.entries.get(key);
    return entry ? new DocumentPart(entry.value, this.source, this, key) : null;
  }

  /** Returns the entries of an object, in their order. */
  entries(): readonly DocumentPart[] {
    return this.node.kind === "map"
      ? Array.from(
          this.node.entries,
          ([key, { value }]) => new DocumentPart(value, this.source, this, key),
        )
      : [];
  }

  /** Returns the items of a list. */
  items(): readonly DocumentPart[] {
    return this.node.kind === "list"
      ? this.node.items.map(
          (node, index) =>
            new DocumentPart(node, this.source, this, String(index)),
        )
      : [];
  }

  /** A string, or a number or boolean as written. */
  get text(): string | null {
    return this.node.kind === "text" ? this.node.text : null;
  }

  /** The value as written. */
  get written(): string {
    const { start, end } = this.node.span;
    return this.source.text.slice(start, end);
  }

  /** Whether the value is `true`. */
  get isTrue(): boolean {
    return this.node.kind === "text" && this.node.text === "true";
  }

  /** Whether the value is `false`. */
  get isFalse(): boolean {
    return (
      this.node.kind === "text" &&
      this.node.type === "boolean" &&
      this.node.text === "false"
    );
  }

  /** Returns the text of a key, or null. */
  textOf(key: string): string | null {
    return this.get(key)?.text ?? null;
  }
}
