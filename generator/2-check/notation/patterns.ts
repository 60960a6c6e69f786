/**
 * Returns the engine's error message for an invalid regular expression, without
 * the expression. Returns null if the expression is valid.
 */
export function explainInvalidRegExp(source: string): string | null {
  try {
    new RegExp(source, "u");
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.slice(text.lastIndexOf(": ") + 2).toLowerCase();
  }
}
