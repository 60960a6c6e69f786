import type {
  FormEntry,
  FormNode,
} from "../../../generator/1-parse/form/form-node.js";
import type { Span } from "../../../generator/source/source.js";

/** Why a text is not JSON, and where. */
export interface JsonFault {
  readonly message: string;
  readonly span: Span;
}

/** Deeper JSON would overflow the stack of later stages. */
const maxDepth = 200;

const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\.)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const space = /[ \t\r\n]*/y;

/**
 * Parses JSON into nodes with spans. It is many times faster than the YAML
 * parser, and large documents are JSON.
 */
export function readJson(text: string): FormNode | JsonFault {
  const reader = new JsonReader(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.fault;
    throw error;
  }
}

class JsonSyntaxError extends Error {
  readonly fault: JsonFault;

  constructor(message: string, start: number, length: number) {
    super(message);
    const end = Math.min(start + 1, length);
    this.fault = { message, span: { start: Math.min(start, length), end } };
  }
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("\ufeff")) this.#at = 1;
  }

  readAll(): FormNode {
    const value = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) this.#fail("unexpected text");
    return value;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at, this.#text.length);
  }

  #value(): FormNode {
    this.#skip();
    const first = this.#text[this.#at];
    if (first !== "{" && first !== "[") return this.#scalar();
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#fail("the document is nested too deeply");
    const node = first === "{" ? this.#map() : this.#list();
    this.#depth -= 1;
    return node;
  }

  #scalar(): FormNode & { readonly kind: "text" | "null" } {
    scalar.lastIndex = this.#at;
    const written = scalar.exec(this.#text)?.[0];
    if (written === undefined) this.#fail("expected a value");
    const span = { start: this.#at, end: this.#at + written.length };
    this.#at = span.end;
    if (written === "null") return { kind: "null", span };
    if (!written.startsWith('"')) {
      const type = /^[tf]/u.test(written) ? "boolean" : "number";
      return { kind: "text", span, text: written, type, isVerbatim: true };
    }
    const inner = { start: span.start + 1, end: span.end - 1 };
    if (!written.includes("\\")) {
      const text = written.slice(1, -1);
      return {
        kind: "text",
        span: inner,
        text,
        type: "string",
        isVerbatim: true,
      };
    }
    const text = this.#unescape(written, span.start);
    return {
      kind: "text",
      span: inner,
      text,
      type: "string",
      isVerbatim: false,
    };
  }

  #unescape(written: string, start: number): string {
    try {
      return String(JSON.parse(written));
    } catch {
      this.#at = start;
      return this.#fail("a string has an invalid escape");
    }
  }

  #map(): FormNode {
    const start = this.#at++;
    const entries = new Map<string, FormEntry>();
    this.#each("}", () => {
      this.#skip();
      if (this.#text[this.#at] !== '"') this.#fail("expected a key");
      const key = this.#scalar();
      this.#skip();
      if (this.#text[this.#at] !== ":") this.#fail("expected `:`");
      this.#at += 1;
      const value = this.#value();
      if (key.kind !== "text") return;
      if (entries.has(key.text)) {
        this.#at = key.span.start;
        this.#fail(`key \`${key.text}\` is given twice`);
      }
      entries.set(key.text, { key, value });
    });
    return { kind: "map", span: { start, end: this.#at }, entries };
  }

  #list(): FormNode {
    const start = this.#at++;
    const items: FormNode[] = [];
    this.#each("]", () => items.push(this.#value()));
    return { kind: "list", span: { start, end: this.#at }, items };
  }

  /** Reads what is between brackets, separated by commas. */
  #each(close: string, read: () => void): void {
    this.#skip();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== "," && next !== close)
        this.#fail(`expected \`,\` or \`${close}\``);
      this.#at += 1;
      if (next === close) return;
    }
  }
}
