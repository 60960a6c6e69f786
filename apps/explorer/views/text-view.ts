import { type Child, h } from "./element.js";

/** Shows doc comments as paragraphs. Text in backticks is code. */
export function paragraphs(text: string | undefined): readonly Child[] {
  if (text === undefined) return [];
  return text
    .split(/\n\s*\n/u)
    .map((paragraph) => h("p", {}, inline(paragraph)));
}

/** Shows text with code in backticks and addresses as links. */
export function inline(text: string): readonly Child[] {
  return text
    .split(/(`[^`]+`|https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:])/u)
    .map((part): Child => {
      if (/^`[^`]+`$/u.test(part)) return h("code", {}, part.slice(1, -1));
      if (!/^https?:/u.test(part)) return part;
      return h("a", { href: part, rel: "noreferrer noopener" }, part);
    });
}

/** Returns the first sentence, for lists. */
export function firstSentence(text: string | undefined): string {
  const line = (text ?? "").replace(/\s+/gu, " ").trim();
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}
