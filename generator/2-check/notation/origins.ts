import type { Origin } from "../../ir/contract.js";

/** What may stand behind `origin:`. */
export const originKinds: readonly Origin["kind"][] = [
  "stated",
  "public",
  "decided",
];

/**
 * The entries of an `origin:` line of a doc comment, as written.
 * Input: `origin: stated 4.4; public paging`.
 * Output: `[["stated", "4.4"], ["public", "paging"]]`; null for another line.
 */
export function splitOrigins(
  line: string,
): readonly (readonly [kind: string, detail: string])[] | null {
  if (!line.includes("origin:")) return null;
  const list = /^\s*origin:(.*)$/.exec(line)?.[1];
  if (list === undefined) return null;
  return list
    .split(";")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.search(/\s/);
      if (end === -1) return [entry, ""];
      return [entry.slice(0, end), entry.slice(end).trim()];
    });
}

/**
 * The origins that a line of a doc comment states.
 * Output: null when it is not an `origin:` line, or says something else.
 */
export function parseOrigins(line: string): readonly Origin[] | null {
  const entries = splitOrigins(line);
  if (entries === null || entries.length === 0) return null;
  const origins: Origin[] = [];
  for (const [word, detail] of entries) {
    const kind = originKinds.find((each) => each === word);
    if (kind === undefined) return null;
    origins.push({ kind, detail });
  }
  return origins;
}
