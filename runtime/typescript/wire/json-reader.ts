import { setOwn } from "../values/set-own.js";

/** Maximum nesting of lists and objects. */
export const maxJsonDepth = 1000;

/**
 * Maximum length in characters of an integer that is read as a `bigint`. No
 * type has longer integers, and reading them takes quadratic time.
 */
const maxDigits = 1000;

/**
 * The reason why text is not JSON. It does not quote the text. It is not an
 * Error, because creating an Error is slow.
 */
export class JsonFault {
  /** A description, e.g. `expected a colon at position 7`. */
  readonly message: string;
  /** 0-based offset in UTF-16 code units. */
  readonly position: number;

  constructor(expected: string, position: number) {
    this.message = `expected ${expected} at position ${position}`;
    this.position = position;
  }
}

const escapes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Words by their first letter. */
const words: ReadonlyMap<string, readonly [string, unknown]> =
  /* @__PURE__ */ new Map([
    ["t", ["true", true]],
    ["f", ["false", false]],
    ["n", ["null", null]],
  ]);

/**
 * Reads JSON like `JSON.parse`, but returns integers beyond ±(2^53-1) as
 * `bigint`.
 *
 * Returns the value or the first fault.
 */
export function readJson(
  text: string,
  maxDepth: number = maxJsonDepth,
): unknown {
  return new JsonReader(text, maxDepth).readDocument();
}

// The tokens of RFC 8259. Each is matched at its `lastIndex`.
const whiteSpace = /[ \t\n\r]*/y;
const plainText = /[^"\\\u0000-\u001f]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const hex = /[0-9a-fA-F]{4}/y;

class JsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  #fault: JsonFault | null = null;
  #position = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  readDocument(): unknown {
    const value = this.#readValue();
    if (this.#peek() !== "") this.#fail("the end");
    return this.#fault ?? value;
  }

  #readValue(): unknown {
    const next = this.#peek();
    if (next === '"') return this.#readString();
    if (next === "{" || next === "[") return this.#readNested(next);
    const [word, value] = words.get(next) ?? [];
    if (word === undefined) return this.#readNumber();
    if (!this.#text.startsWith(word, this.#position)) this.#fail("a value");
    this.#position += word.length;
    return value;
  }

  #readNested(opening: string): unknown {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) {
      return this.#fail(levels(this.#maxDepth));
    }
    this.#position += 1;
    const value = opening === "{" ? this.#readObject() : this.#readList();
    this.#position += 1;
    this.#depth -= 1;
    return value;
  }

  /** Reads the rest of an object from after `{` to before `}`. */
  #readObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.#peek() === "}") return object;
    for (;;) {
      if (this.#peek() !== '"') this.#fail("a property name");
      const key = this.#readString();
      if (this.#peek() !== ":") this.#fail("a colon");
      this.#position += 1;
      setOwn(object, key, this.#readValue());
      const next = this.#peek();
      if (next === "}") return object;
      if (next !== ",") {
        this.#fail("a comma or a closing brace");
        return object;
      }
      this.#position += 1;
    }
  }

  /** Reads the rest of a list from after `[` to before `]`. */
  #readList(): unknown[] {
    const list: unknown[] = [];
    if (this.#peek() === "]") return list;
    for (;;) {
      list.push(this.#readValue());
      const next = this.#peek();
      if (next === "]") return list;
      if (next !== ",") {
        this.#fail("a comma or a closing bracket");
        return list;
      }
      this.#position += 1;
    }
  }

  #readString(): string {
    this.#position += 1;
    let text = this.#match(plainText);
    while (this.#text[this.#position] === "\\") {
      text += this.#readEscape();
      // Running the pattern takes longer than reading an escape.
      if (this.#text[this.#position] !== "\\") text += this.#match(plainText);
    }
    if (this.#text[this.#position] !== '"') this.#fail("a closing quote");
    this.#position += 1;
    return text;
  }

  #readEscape(): string {
    this.#position += 1;
    const letter = this.#text[this.#position] ?? "";
    const plain = escapes.get(letter);
    if (plain === undefined && letter !== "u") {
      this.#fail("an escape sequence");
    }
    this.#position += 1;
    if (plain !== undefined) return plain;
    const digits = this.#match(hex);
    if (digits === "") this.#fail("four hexadecimal digits");
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #readNumber(): number | bigint {
    const literal = this.#match(number);
    if (literal === "") this.#fail("a value");
    const value = Number(literal);
    const isNumber = Number.isSafeInteger(value) || /[.eE]/.test(literal);
    return isNumber || literal.length > maxDigits ? value : BigInt(literal);
  }

  /** Returns the next character after white space, or "" at the end. */
  #peek(): string {
    // Without this check, running the pattern would take most of the time.
    if (!(this.#text.charCodeAt(this.#position) > space)) {
      this.#match(whiteSpace);
    }
    return this.#text[this.#position] ?? "";
  }

  /**
   * Consumes and returns the text that the pattern matches here, or "" if it
   * does not match.
   */
  #match(pattern: RegExp): string {
    const start = this.#position;
    pattern.lastIndex = start;
    if (pattern.test(this.#text)) this.#position = pattern.lastIndex;
    return this.#text.slice(start, this.#position);
  }

  /** Moves to the end, which stops all reading. */
  #fail(expected: string): void {
    this.#fault ??= new JsonFault(expected, this.#position);
    this.#position = this.#text.length;
  }
}

const space = 0x20;

/** Describes what is expected if nesting exceeds the limit. */
function levels(maxDepth: number): string {
  return `at most ${maxDepth} levels`;
}
