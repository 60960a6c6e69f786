import { isHarmless } from "../../../../generator/pattern/time/analyze-pattern.js";
import type { DocumentPart } from "../../read/document-part.js";
import type { NoteLog } from "../../notes/note.js";
import { readPattern } from "./scalar-types.js";
import type { SchemaView } from "./schema-view.js";

/**
 * Returns the listed values that the other keywords of a schema allow. If there
 * are none, adds a note and returns all.
 */
export function withinLimits(
  parts: readonly DocumentPart[],
  kind: "string" | "number" | "boolean" | null,
  view: SchemaView,
  notes: NoteLog,
): readonly DocumentPart[] {
  if (kind !== "string" && kind !== "number") return parts;
  const checks = kind === "string" ? textChecks(view, notes) : limitsOf(view);
  const fitting = parts.filter(({ text }) =>
    checks.every(({ allows }) => allows(text ?? "")),
  );
  if (fitting.length > 0) return fitting;
  for (const { allows, part } of checks) {
    if (parts.some(({ text }) => allows(text ?? ""))) continue;
    const message = `\`${part.key}\` allows none of the listed values`;
    notes.add("value", part, message, "they are valid");
  }
  return parts;
}

interface Check {
  readonly part: DocumentPart;
  readonly allows: (text: string) => boolean;
}

function textChecks(view: SchemaView, notes: NoteLog): readonly Check[] {
  const patterns = view.all("pattern").flatMap((part): readonly Check[] => {
    const pattern = readPattern(part.text ?? "");
    if (pattern !== null && isHarmless(pattern, Infinity)) {
      const expression = new RegExp(pattern, "u");
      return [{ part, allows: (text) => expression.test(text) }];
    }
    const message = "the pattern is not compared with the listed values";
    notes.add("value", part, message, "they are valid");
    return [];
  });
  const lengths = compare(view, {
    minLength: (text, limit) => [...text].length >= limit,
    maxLength: (text, limit) => [...text].length <= limit,
  });
  return [...patterns, ...lengths];
}

function limitsOf(view: SchemaView): readonly Check[] {
  return compare(view, {
    minimum: (text, limit) => Number(text) >= limit,
    maximum: (text, limit) => Number(text) <= limit,
    exclusiveMinimum: (text, limit) => Number(text) > limit,
    exclusiveMaximum: (text, limit) => Number(text) < limit,
  });
}

function compare(
  view: SchemaView,
  limits: Readonly<Record<string, (text: string, limit: number) => boolean>>,
): readonly Check[] {
  return Object.entries(limits).flatMap(([key, isWithin]) =>
    view.all(key).flatMap((part): readonly Check[] => {
      // In OpenAPI 3.0, exclusive limits are flags.
      const limit = Number(part.text ?? NaN);
      return Number.isNaN(limit)
        ? []
        : [{ part, allows: (text) => isWithin(text, limit) }];
    }),
  );
}
