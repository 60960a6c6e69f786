import type { Span } from "../../source/source.js";

/** A JSON or YAML value with its place: all that the form needs of either. */
export type FormNode = FormText | FormNull | FormList | FormMap;

/** A string, or a number or boolean as it is written. */
export interface FormText {
  readonly kind: "text";
  /** Of a string without its quotes, where they are part of the source. */
  readonly span: Span;
  readonly text: string;
  readonly type: "string" | "number" | "boolean";
  /** Whether the span holds exactly the text, without escapes and folding. */
  readonly isVerbatim: boolean;
}

/** `null`, also where a YAML value is left out. */
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

/** An object; of keys that are given twice the first is kept. */
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
