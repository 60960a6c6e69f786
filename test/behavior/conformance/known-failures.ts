import { readFileSync } from "node:fs";
import { it } from "vitest";

/** The names of the cases in `known-failures.txt`. */
export const knownFailures: ReadonlySet<string> = new Set(
  readFileSync(new URL("known-failures.txt", import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#")),
);

/**
 * Runs a case in one place. Known failures must fail: everywhere if the file
 * lists only their name, or in one place if it lists `name @ place`.
 */
export function runCase(
  name: string,
  place: string,
  run: () => Promise<void>,
): void {
  const isKnown =
    knownFailures.has(name) || knownFailures.has(`${name} @ ${place}`);
  if (isKnown) it.fails(name, run);
  else it(name, run);
}
