import type { Severity } from "./diagnostic.js";

/** Parts of a rendered diagnostic that differ in colour. */
export type Part = Severity | "frame" | "help" | "strong";

/** Gives a text the look of a part. */
export type Style = (part: Part, text: string) => string;

const codes: Readonly<Record<Part, string>> = {
  error: "1;31",
  warning: "1;33",
  info: "1;36",
  frame: "34",
  help: "32",
  strong: "1",
};

/** A style with ANSI colours, or one that leaves every text as it is. */
export function createStyle(color: boolean): Style {
  if (!color) return (_part, text) => text;
  return (part, text) =>
    text === "" ? text : `\u001b[${codes[part]}m${text}\u001b[0m`;
}
