import type { Span } from "../../source/source.js";

/** A JSON or YAML value with its span. */
export type FormNode = FormText | FormNull | FormList | FormMap;

/** A string, or a number or boolean in its original notation. */
export interface FormText {
  readonly kind: "text";
  /** The span. For a string without escapes, it excludes the quotes. */
  readonly span: Span;
  readonly text: string;
  readonly type: "string" | "number" | "boolean";
  /** Whether the span contains exactly the text, without escapes or folding. */
  readonly isVerbatim: boolean;
}

/** `null`, or an omitted YAML value. */
export interface FormNull {
  readonly kind: "null";
  readonly span: Span;
}

/** A sequence. */
export interface FormList {
  readonly kind: "list";
  readonly span: Span;
  readonly items: readonly FormNode[];
}

/** An object. If a key is repeated, the first one is kept. */
export interface FormMap {
  readonly kind: "map";
  readonly span: Span;
  readonly entries: ReadonlyMap<string, FormEntry>;
}

/** One key of an object with its value. */
export interface FormEntry {
  readonly key: FormText;
  readonly value: FormNode;
}
