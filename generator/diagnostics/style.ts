import type { Severity } from "./diagnostic.js";

/** Parts of a rendered diagnostic that differ in color. */
export type Part = Severity | "frame" | "help" | "strong";

/** Styles text in the colors of a part. */
export type Style = (part: Part, text: string) => string;

const codes: Readonly<Record<Part, string>> = {
  error: "1;31",
  warning: "1;33",
  info: "1;36",
  frame: "34",
  help: "32",
  strong: "1",
};

/** Creates a style with ANSI colors, or one that leaves text unchanged. */
export function createStyle(color: boolean): Style {
  if (!color) return (_part, text) => text;
  return (part, text) =>
    text === "" ? text : `\u001b[${codes[part]}m${text}\u001b[0m`;
}
