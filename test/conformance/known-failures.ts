import { readFileSync } from "node:fs";
import { it } from "vitest";

/** Cases of `known-failures.txt`, by name. */
export const knownFailures: ReadonlySet<string> = new Set(
  readFileSync(new URL("known-failures.txt", import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#")),
);

/**
 * Runs a case at a place. A case that is known to fail must fail: everywhere if
 * only its name is listed, and at one place if listed as `name @ place`.
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
