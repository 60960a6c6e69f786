import { keywords, type ObjectKind, type Use } from "./keywords.js";
import type { NoteLog } from "./note.js";
import type { DocumentPart } from "../read/document-part.js";

/** The keywords of each object, as maps because keys can be any text. */
const usesOf = new Map(
  Object.entries(keywords).map(([kind, uses]) => [
    kind,
    new Map<string, Use>(Object.entries(uses)),
  ]),
);

/** Adds a note for each keyword of an object that RIDL cannot say. */
export function noteKeywords(
  part: DocumentPart,
  kind: ObjectKind,
  notes: NoteLog,
): void {
  const uses = usesOf.get(kind);
  for (const entry of part.entries()) {
    const { key } = entry;
    if (key.startsWith("x-")) continue;
    const use = uses?.get(key);
    if (use === undefined) {
      // JSON Schema ignores keywords that it does not know.
      const level = kind === "schema" ? "advice" : "value";
      notes.add(level, entry, `\`${key}\` is not known`, "it is left out");
    } else if (typeof use === "object") {
      const message = `RIDL has no equivalent of \`${key}\``;
      notes.add(use.level, entry, message, use.instead);
    }
  }
}
