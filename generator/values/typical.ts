import type { Constraints } from "../ir/contract.js";
import { type ScalarName, scalars } from "../ir/scalars.js";
import { clampToFloats, integerRange } from "./ranges.js";
import { findTexts, joinWords } from "./text-samples.js";

/**
 * Returns the text of a value that mocks could return, for documentation. It is
 * "" for files.
 *
 * Input: the limits of a type and of the aliases that it refers to, and the
 * values that are known, if any.
 */
export function typicalText(
  name: ScalarName,
  limits: readonly Constraints[] = [],
  known: readonly string[] | null = null,
): string {
  const { limits: kind, range, text, wire } = scalars[name];
  switch (wire) {
    case "any":
      return "{}";
    case "boolean":
      return "true";
    case "file":
      return "";
    case "null":
      return "null";
    case "number":
    case "string":
      break;
  }
  if (kind === "number" && (range !== null || wire === "string")) {
    const [from, to] = integerRange(limits, name);
    return String(from > 1n ? from : to < 1n ? to : 1n);
  }
  if (kind === "number") return String(clampToFloats(1, limits));
  if (kind === null && text !== null) return text.samples[0];
  const found = findTexts(name, limits, known, 1);
  return found.kind === "texts"
    ? (found.texts[0] ?? "")
    : joinWords(found.range);
}
