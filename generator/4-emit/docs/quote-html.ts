import { invisible } from "../emitter/invisible.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML. Control characters become spaces. */
export function quoteHtml(text: string): string {
  return text
    .replace(invisible, " ")
    .replace(/[&<>"']/gu, (character) => entities[character] ?? "");
}
