import type { Docs } from "../../ir/contract.js";
import type { JsonObject } from "../emitter/json-value.js";

/** Returns the `description` and `deprecated` keywords for docs. */
export function describe(
  docs: Docs,
  deprecated: string | null = null,
  more = "",
): JsonObject {
  const text = textOf(docs);
  // Most parts have docs and nothing else.
  if (deprecated === null && more === "")
    return text === "" ? {} : { description: text };
  const warning = deprecated ? `Deprecated: ${deprecated}` : "";
  const texts = [text, more, warning].filter((text) => text !== "");
  return {
    ...(texts.length > 0 && { description: texts.join("\n\n") }),
    ...(deprecated !== null && { deprecated: true }),
  };
}

/** Returns the text of docs, or "" if there are none. */
export function textOf({ lines }: Docs): string {
  return lines.join("\n").trim();
}

/** Returns the first sentence of docs without its period, or "". */
export function firstSentence(docs: Docs): string {
  const [paragraph = ""] = textOf(docs).split(/\n\s*\n/u);
  const line = paragraph.replace(/\s+/gu, " ");
  // Abbreviations such as `e.g.` do not end a sentence.
  const [first = line] =
    /^.+?(?<!\b\p{L}\.\p{L})[.!?](?=\s|$)/u.exec(line) ?? [];
  return first.replace(/\.$/u, "");
}

/** Returns text as Markdown code. */
export function quoteCode(text: string): string {
  return `\`${text}\``;
}
