import type { Document, Item } from "../../generator/1-parse/ast.js";
import { scalars } from "../../generator/ir/scalars.js";
import type { Span } from "../../generator/source/source.js";

/** A piece of text and its kind. */
export interface Marked extends Span {
  readonly what: string;
}

/**
 * Returns what the parser finds in a document, limited to what a grammar can
 * recognize.
 */
export function readTree(document: Document): Marked[] {
  const { text } = document.source;
  const marked = document.comments.map(({ span }) => mark("comment", span));
  for (const item of document.items) marked.push(...readKeyword(text, item));
  JSON.stringify(document.items, (key, value) => {
    // The grammar does not look into the values of metadata.
    if (key === "variants") return undefined;
    if (value?.isQuoted === true && text[value.span.start] === '"') {
      marked.push(mark("string", value.span));
    } else if (key === "base" || key === "succinct" || value?.kind === "name") {
      const { text: name, span } = value.name ?? value;
      if (name !== "") marked.push(mark(kindOfType(name), span));
    }
    return value;
  });
  return marked;
}

function kindOfType(name: string): string {
  return Object.hasOwn(scalars, name) ? "core type" : "type";
}

/** Returns the keyword of an item. The members of an import list have none. */
function readKeyword(text: string, { span: { start } }: Item): Marked[] {
  const word = /^\w+/u.exec(text.slice(start, start + 20))?.[0] ?? "";
  const span = { start, end: start + word.length };
  return word === "" ? [] : [mark("keyword", span)];
}

function mark(what: string, { start, end }: Span): Marked {
  return { what, start, end };
}
