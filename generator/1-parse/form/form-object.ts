import { suggestHelp } from "../../diagnostics/suggest.js";
import type { Span } from "../../source/source.js";
import type { DocLines, Word } from "../ast.js";
import type { FormEntry, FormMap, FormNode, FormText } from "./form-node.js";
import type { Reporter } from "../reporter.js";

/** Reads the keys of an object in the JSON form, and checks their values. */
export class FormObject {
  readonly span: Span;
  readonly reporter: Reporter;
  readonly #entries: FormMap["entries"];
  readonly #what: string;

  /** `what` names the object in messages, e.g. `a field`. */
  private constructor(reporter: Reporter, map: FormMap, what: string) {
    this.span = map.span;
    this.reporter = reporter;
    this.#entries = map.entries;
    this.#what = what;
  }

  /**
   * Reads a node as an object, and warns about keys that are not in `keys`. If
   * the node is not an object, reports this and returns null.
   */
  static read(
    reporter: Reporter,
    node: FormNode,
    what: string,
    keys: readonly string[],
  ): FormObject | null {
    if (node.kind !== "map") {
      refuse(reporter, node, `${what} to be an object`);
      return null;
    }
    for (const { key } of node.entries.values()) {
      if (keys.includes(key.text)) continue;
      const detail = suggestHelp(key.text, keys);
      const message = `unknown key \`${key.text}\` in ${what}`;
      reporter.warn("unknown-key", key.span, message, detail);
    }
    return new FormObject(reporter, node, what);
  }

  /** Returns the value of a key, or undefined if it is absent or null. */
  get(key: string): FormNode | undefined {
    const value = this.#entries.get(key)?.value;
    return value?.kind === "null" ? undefined : value;
  }

  /**
   * Returns a string, number or boolean, or undefined if there is none. Reports
   * any other value.
   */
  text(key: string): FormText | undefined {
    const value = this.get(key);
    if (value === undefined || value.kind === "text") return value;
    this.#refuse(value, key, "a string");
    return undefined;
  }

  /** Works like `text`, but reports a missing key. */
  requireText(key: string): FormText | undefined {
    if (this.get(key) !== undefined) return this.text(key);
    const { start, end } = this.span;
    const span = { start, end: Math.min(start + 1, end) };
    const message = `${this.#what} has no \`${key}\``;
    this.reporter.error("invalid-form", span, message);
    return undefined;
  }

  /** Returns the items of a list. An absent list has none. */
  list(key: string): readonly FormNode[] {
    const value = this.get(key);
    if (value === undefined) return [];
    if (value.kind === "list") return value.items;
    this.#refuse(value, key, "a list");
    return [];
  }

  /** Calls `read` for each object of a list, and drops nulls. */
  objects<Value>(
    key: string,
    what: string,
    keys: readonly string[],
    read: (object: FormObject) => Value | null,
  ): readonly Value[] {
    return this.list(key).flatMap((node) => {
      const object = FormObject.read(this.reporter, node, what, keys);
      const value = object && read(object);
      return value === null ? [] : [value];
    });
  }

  /** Returns the entries of an object. An absent object has none. */
  entries(key: string): readonly FormEntry[] {
    const value = this.get(key);
    if (value === undefined) return [];
    if (value.kind === "map") return [...value.entries.values()];
    refuse(this.reporter, value, `\`${key}\` to be an object`);
    return [];
  }

  flag(key: string): boolean {
    const value = this.get(key);
    if (value === undefined) return false;
    if (value.kind === "text" && value.type === "boolean") {
      return value.text.toLowerCase() === "true";
    }
    this.#refuse(value, key, "true or false");
    return false;
  }

  texts(key: string): readonly FormText[] {
    return this.list(key).flatMap((item) => {
      if (item.kind === "text") return item;
      refuse(this.reporter, item, `a string in \`${key}\``);
      return [];
    });
  }

  docs(): DocLines {
    return this.texts("comments")
      .flatMap(({ text }) => text.split(/\r?\n/))
      .map((line) => line.trimEnd());
  }

  #refuse(value: FormNode, key: string, form: string): void {
    refuse(this.reporter, value, `\`${key}\` of ${this.#what} to be ${form}`);
  }
}

/** Reports a node of the wrong kind. */
export function refuse(
  reporter: Reporter,
  node: FormNode,
  expected: string,
): void {
  const message = `expected ${expected}, got ${describe(node)}`;
  reporter.error("invalid-form", node.span, message);
}

function describe(node: FormNode): string {
  switch (node.kind) {
    case "text":
      return `a ${node.type}`;
    case "null":
      return "null";
    case "list":
      return "a list";
    case "map":
      return "an object";
  }
}

/**
 * Whether a text can be written as a word in RIDL. Reports it if not. The names
 * of declarations have their own rules.
 */
export function isWord(
  { text, span }: FormText,
  what: string,
  reporter: Reporter,
): boolean {
  if (word.test(text)) return true;
  reporter.error("invalid-form", span, `\`${text}\` cannot be ${what}`, {
    help: "use letters, digits and `_`, and `.` or `-` between them",
  });
  return false;
}

/** Matches a RIDL word that needs no quotes as a value. */
const word = /^[A-Za-z0-9_][^ \t\r\n[\](){}<>=:¿?¡!,"\\\0]*$/;

/** Converts a name or number, which has no quotes in RIDL. */
export function toName({ text, span }: FormText): Word {
  return { text, span, isQuoted: false };
}

/** Converts a value that can have quotes in RIDL. */
export function toLiteral({ text, span }: FormText): Word {
  const isPlain = /^\/*(?:[A-Za-z0-9_][^ \t\r\n[\](){}<>=:¿?¡!,"\\]*)?$/;
  return { text, span, isQuoted: text === "" || !isPlain.test(text) };
}

/** Converts the value of an annotation. */
export function toAnnotationValue({ text, span }: FormText): Word {
  return { text, span, isQuoted: !word.test(text) };
}

/** Converts the value of a metadata key. */
export function toMetadataValue({ text, span }: FormText): Word {
  return { text, span, isQuoted: !/^[^\s"\\][^\s\\]*$/.test(text) };
}
