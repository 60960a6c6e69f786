import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import { isRecord } from "../../../generator/ir/is-record.js";

/** Version of the form of the file. */
const format = 1;

/** Returns the name of the file beside `shop.ridl`: `shop.import.json`. */
export function baseName(stem: string): string {
  return `${stem}.import.json`;
}

/**
 * Prints the file with the RIDL that an import made, for the next import. Each
 * line of RIDL is one line, so that a version control system shows how the API
 * changed.
 */
export function printBase(documents: ReadonlyMap<string, string>): string {
  const lines = [...documents].map(
    ([name, text]) => [name, text.split("\n")] as const,
  );
  const data = { format, documents: Object.fromEntries(lines) };
  return `${JSON.stringify(data, null, 2)}\n`;
}

/** The RIDL that the last import made, or why it is unknown. */
export type ParsedBase =
  | { readonly documents: ReadonlyMap<string, string> }
  | { readonly fault: Diagnostic };

/** Reads the file that {@link printBase} prints. Input: its path and text. */
export function parseBase(path: string, text: string): ParsedBase {
  const data = parseJson(text);
  if (isRecord(data) && typeof data["format"] === "number") {
    if (data["format"] > format) {
      const message = `\`${path}\` was written by a newer version of ridlkit`;
      return { fault: fail(message, "update ridlkit") };
    }
    const documents = toDocuments(data["documents"]);
    if (data["format"] === format && documents !== null) return { documents };
  }
  return {
    fault: fail(
      `\`${path}\` does not contain what the last import made`,
      "restore it from your version control system, or delete it and replace the RIDL with `--force`",
    ),
  };
}

function fail(message: string, help: string): Diagnostic {
  return { code: "import-base", severity: "error", message, help };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toDocuments(value: unknown): ReadonlyMap<string, string> | null {
  if (!isRecord(value)) return null;
  const documents = new Map<string, string>();
  for (const [name, lines] of Object.entries(value)) {
    // The names are those of files in one folder.
    if (!/^[^/\\]+\.ridl$/u.test(name) || !isTexts(lines)) return null;
    documents.set(name, lines.join("\n"));
  }
  return documents.size === 0 ? null : documents;
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((each) => typeof each === "string")
  );
}
