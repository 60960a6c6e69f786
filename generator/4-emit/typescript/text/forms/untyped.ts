import { isList, type Doc } from "../format.js";

/** The same in JavaScript. */
export function untyped(doc: Doc): Doc {
  if (typeof doc === "string") return doc;
  if (isList(doc)) return doc.map(untyped);
  switch (doc.kind) {
    case "differing":
      return doc.javascript;
    case "line":
      return doc;
    case "group":
    case "indent":
      return { ...doc, contents: untyped(doc.contents) };
    case "if-break":
      return { ...doc, broken: untyped(doc.broken), flat: untyped(doc.flat) };
    case "choice":
      return {
        kind: "choice",
        flat: untyped(doc.flat),
        opened: untyped(doc.opened),
        broken: untyped(doc.broken),
      };
  }
}
