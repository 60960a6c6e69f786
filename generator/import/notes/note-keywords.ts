import { keywords, type ObjectKind, type Use } from "./keywords.js";
import type { NoteLog } from "./note.js";
import type { DocumentPart } from "../read/document-part.js";

/** Adds a note for each keyword of an object that RIDL cannot say. */
export function noteKeywords(
  part: DocumentPart,
  kind: ObjectKind,
  notes: NoteLog,
): void {
  const known = new Map<string, Use>(Object.entries(keywords[kind]));
  for (const entry of part.entries()) {
    const { key } = entry;
    if (key.startsWith("x-")) continue;
    const use = known.get(key);
    if (use === undefined) {
      notes.add("value", entry, `\`${key}\` is not known`, "it is left out");
    } else if (typeof use === "object") {
      const message = `RIDL has no equivalent of \`${key}\``;
      notes.add(use.level, entry, message, use.instead);
    }
  }
}
