import type { Origin } from "../../ir/contract.js";

/** The words that can follow `origin:`. */
export const originKinds: readonly Origin["kind"][] = [
  "stated",
  "public",
  "decided",
];

/**
 * Splits an `origin:` line into entries such as `["stated", "4.4"]`. Returns
 * null for other lines.
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
 * Parses an `origin:` line. Returns null for other lines, and for lines without
 * entries or with an unknown kind.
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
