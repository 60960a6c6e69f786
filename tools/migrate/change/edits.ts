import type { ts } from "ts-morph";
import { applyEdits, type TextEdit } from "../../implement/edits.js";

/** Edits of a file, in which outer ones contain the text of inner ones. */
export class Edits {
  readonly #source: ts.SourceFile;
  #all: readonly TextEdit[] = [];

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  replace(node: ts.Node, text: string): void {
    this.replaceRange(node.getStart(), node.end, text);
  }

  replaceRange(start: number, end: number, text: string): void {
    const edit = { start, end, text };
    this.#all = [...this.#all.filter((each) => !isWithin(each, edit)), edit];
  }

  /** Returns the text of a node after all edits so far. */
  slice(node: ts.Node): string {
    const start = node.getStart();
    const { end } = node;
    const inner = this.#all
      .filter((each) => isWithin(each, { start, end }))
      .map((each) => ({
        ...each,
        start: each.start - start,
        end: each.end - start,
      }));
    return applyEdits(this.#source.text.slice(start, end), inner);
  }

  apply(others: readonly TextEdit[]): string {
    return applyEdits(this.#source.text, [...this.#all, ...others]);
  }
}

function isWithin(
  inner: Pick<TextEdit, "end" | "start">,
  outer: Pick<TextEdit, "end" | "start">,
): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
