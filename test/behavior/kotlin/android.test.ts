import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const runtime = fileURLToPath(
  new URL("../../../runtime/kotlin/", import.meta.url),
);

/** Returns the regular expressions in a text in Kotlin. */
function patternsIn(text: string): readonly string[] {
  const calls = [
    ...text.matchAll(
      /\bRegex\(\s*((?:"(?:[^"\\]|\\.)*"(?:\s*\+\s*)?)+)[,)\s]/gu,
    ),
  ];
  return calls.map(([, literals = ""]) =>
    [...literals.matchAll(/"(?:[^"\\]|\\.)*"/gu)]
      .map(([literal]) => String(JSON.parse(literal)))
      .join(""),
  );
}

it("has regular expressions that Android compiles", () => {
  const patterns = readdirSync(runtime).flatMap((name) =>
    patternsIn(readFileSync(runtime + name, "utf8")),
  );
  expect(patterns.length).toBeGreaterThan(12);
  for (const pattern of patterns) {
    // As with the flag `u`, brackets and braces have to be escaped on Android.
    const own = pattern
      .replace(/^\(\?i\)/u, "")
      .replaceAll("$MAX_DIGITS", "1")
      .replaceAll(/([*+])\+/gu, "$1");
    expect(() => new RegExp(own, "u"), pattern).not.toThrow();
  }
});
