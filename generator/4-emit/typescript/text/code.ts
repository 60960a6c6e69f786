import { lines, render, type Doc } from "./format.js";

/** Code inside a structure: a name, or text that knows where it may break. */
export type Code = string | LaidOut;

/**
 * A layout where ts-morph takes a writer function. Our printer reads the
 * layout; ts-morph's own printer calls the function, which writes TypeScript.
 */
export interface LaidOut {
  (writer: Writer): void;
  readonly doc: Doc;
}

/** What a writer of ts-morph can do, as far as it is used. */
interface Writer {
  write(text: string): unknown;
}

/** Wraps a layout for use in a structure. */
export function code(doc: Doc): Code {
  if (typeof doc === "string") return doc;
  function write(writer: Writer): void {
    writer.write(render(doc));
  }
  write.doc = doc;
  return write;
}

/** Returns the layout of code. Text of several lines is indented line by line. */
export function docOf(code: Code): Doc {
  if (typeof code !== "string") return code.doc;
  // Spaces would change the value of a template literal.
  return !code.includes("\n") || code.includes("`")
    ? code
    : lines(code.split("\n"));
}
