import type { CallToolResult } from "@modelcontextprotocol/server";
import { listParts, selectPart } from "./select-part.js";
import { ArgumentError } from "./tool-arguments.js";

type Content = CallToolResult["content"];

/** Maximum number of characters of a text in a result: about 5,000 tokens. */
export const maxCharacters = 20_000;

/** How many large results can still be read. Older ones are dropped. */
export const maxKept = 8;

/** Which part of a result to read. */
export interface ResultPart {
  /** Number of the result. */
  readonly result: number;
  /** The path of the part, as in {@link selectPart}. */
  readonly path: string;
  /** How many characters of the part to skip. */
  readonly offset: number;
}

/** Cuts large results, and keeps them so that agents can read the rest. */
export class LargeResults {
  readonly #kept = new Map<number, string>();
  #last = 0;

  /** Cuts the texts of a result that are too large. */
  limit(result: CallToolResult): CallToolResult {
    const { content, structuredContent, ...rest } = result;
    if (!content.some((block) => isLarge(block))) return result;
    const limited = content.flatMap((block) =>
      isLarge(block) ? this.#keep(block.text) : [block],
    );
    return { ...rest, content: limited };
  }

  /**
   * Returns a part of a result, which may be cut as well. Errors: an
   * {@link ArgumentError} if there is no such result or part.
   */
  read(part: ResultPart): CallToolResult {
    const { path, result } = part;
    const text = this.#kept.get(result);
    if (text === undefined) {
      throw new ArgumentError(
        `result: there is no result ${result}`,
        `only the last ${maxKept} large results are kept`,
      );
    }
    const selected =
      path === "" ? text : JSON.stringify(selectPart(JSON.parse(text), path));
    return { content: showPart(selected, part) };
  }

  #keep(text: string): Content {
    this.#last += 1;
    this.#kept.set(this.#last, text);
    this.#kept.delete(this.#last - maxKept);
    return showPart(text, { result: this.#last, path: "", offset: 0 });
  }
}

function isLarge(
  block: Content[number],
): block is Extract<Content[number], { readonly type: "text" }> {
  return block.type === "text" && block.text.length > maxCharacters;
}

/**
 * Returns as much of a part as allowed. If this is not all, a second text says
 * how to read more.
 */
function showPart(text: string, part: ResultPart): Content {
  const { offset, path } = part;
  if (offset > text.length) {
    throw new ArgumentError(
      `offset: expected at most ${text.length}, got ${offset}`,
    );
  }
  const end = endOfPart(text, offset);
  const shown: Content[number] = {
    type: "text",
    text: text.slice(offset, end),
  };
  if (end === text.length) return [shown];
  const next = JSON.stringify({ ...part, offset: end });
  const notes = [
    `Characters ${offset} to ${end} of ${text.length}. To continue, call \`read\` with ${next}.`,
  ];
  const parts = offset === 0 ? listParts(JSON.parse(text), path) : [];
  if (parts.length > 0) {
    notes.push(`To read one part, add its path: ${parts.join(", ")}.`);
  }
  return [shown, { type: "text", text: notes.join(" ") }];
}

/** Returns where a cut text ends, which is not within a surrogate pair. */
function endOfPart(text: string, offset: number): number {
  const end = Math.min(offset + maxCharacters, text.length);
  const isPair = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isPair ? end - 1 : end;
}
