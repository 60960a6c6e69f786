import type { NoteLevel } from "../../notes/note.js";

/** Whether a schema is of what clients send, or of what they receive. */
export type ParserSide = "input" | "output";

/** The keyword with the notes about a schema, which no other tool reads. */
export const notesKeyword = "x-ridlkit-notes";

/** A note in a schema: its level, its message, and what the RIDL says instead. */
export type SchemaNote = readonly [NoteLevel, string, string];
