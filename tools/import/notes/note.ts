import type {
  Diagnostic,
  Severity,
} from "../../../generator/diagnostics/diagnostic.js";
import type { Location } from "../../../generator/source/source.js";
import type { DocumentPart } from "../read/document-part.js";

/**
 * How much a note matters. `wire`: a request or response differs from the
 * document's. `value`: RIDL accepts other values. `advice`: nothing on the wire
 * depends on it.
 */
export type NoteLevel = "wire" | "value" | "advice";

/** Something in a document that RIDL cannot say. */
export interface Note {
  readonly level: NoteLevel;
  readonly part: DocumentPart;
  /** What RIDL cannot say, e.g. "`multipleOf` has no equivalent". */
  readonly message: string;
  /** What the RIDL says instead. */
  readonly instead: string;
}

/** Collects notes. The same note about the same place is kept once. */
export class NoteLog {
  readonly #notes = new Map<string, Note>();

  add(
    level: NoteLevel,
    part: DocumentPart,
    message: string,
    instead: string,
  ): void {
    const key = `${part.id} ${message}`;
    if (!this.#notes.has(key)) {
      this.#notes.set(key, { level, part, message, instead });
    }
  }

  /** Returns the notes in the order of the document, its own file first. */
  list(): readonly Note[] {
    const files = [...this.#notes.values()].map(({ part }) => part.source.path);
    const order = new Map([...new Set(files)].map((path, at) => [path, at]));
    const fileOf = ({ part }: Note): number => order.get(part.source.path) ?? 0;
    const startOf = ({ part }: Note): number => part.location.span.start;
    return [...this.#notes.values()].sort(
      (a, b) => fileOf(a) - fileOf(b) || startOf(a) - startOf(b),
    );
  }
}

const kinds = {
  wire: { code: "import-wire" },
  value: { code: "import-value" },
  advice: { code: "import-advice" },
} as const satisfies Record<NoteLevel, { readonly code: string }>;

/** Where a note is: its place in a text, and how it is called. */
export interface NotePlace {
  readonly location: Location;
  readonly label: string;
}

function placeOf({ location, pointer }: DocumentPart): NotePlace {
  return { location, label: pointer };
}

/**
 * Converts numbered notes. With `isStrict`, lost wire and values are errors.
 * `find` returns the place of a note, by default that in its document.
 */
export function toDiagnostics(
  notes: readonly Note[],
  isStrict: boolean,
  find: (part: DocumentPart) => NotePlace = placeOf,
): readonly Diagnostic[] {
  const lost: Severity = isStrict ? "error" : "warning";
  return notes.map(({ level, part, message, instead }, index) => {
    const { label, location } = find(part);
    return {
      ...kinds[level],
      severity: level === "advice" ? "info" : lost,
      message,
      location,
      notes: [`note ${index + 1}, at \`${label}\``, `instead: ${instead}`],
    };
  });
}
