import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import { idOf, type ComparedPlace, Places } from "./places.js";

/** Notes about losses by the file and pointer of their place. */
export type Notes = ReadonlyMap<string, string>;

/** Keywords whose values are schemas, which have notes of their own. */
const holders = new Set(
  "properties items additionalProperties patternProperties allOf anyOf oneOf prefixItems $defs definitions not if then else contains".split(
    " ",
  ),
);

/** Where and why a value is invalid. */
export interface Fault {
  readonly path: readonly (string | number)[];
  /** The keyword that excludes the value, or null if it is not known. */
  readonly keyword: string | null;
  /** The missing member. */
  readonly missing: string | undefined;
}

/** Returns the notes about losses on the wire and of values. */
export function readNotes(diagnostics: readonly Diagnostic[]): Notes {
  return new Map(
    diagnostics
      .filter(({ code }) => code !== "import-advice")
      .flatMap(({ location, message, notes = [] }) => {
        const pointer = /`(#.*)`/u.exec(notes[0] ?? "")?.[1];
        const text = `${message}: ${notes[1] ?? ""}`;
        return location === undefined || pointer === undefined
          ? []
          : [[location.source.path + pointer, text] as const];
      }),
  );
}

/**
 * Returns a note about a schema that applies to a fault: at its path, or above
 * it.
 */
export function findNote(
  notes: Notes,
  root: ComparedPlace,
  faults: readonly Fault[],
  places: Places,
): string | null {
  for (const { path, keyword, missing } of faults) {
    let schemas = places.expand(root);
    const keys = missing === undefined ? path : [...path, missing];
    for (const key of [null, ...keys]) {
      if (key !== null) schemas = places.step(schemas, key);
      for (const schema of schemas) {
        const note = noteAbout(notes, schema, keyword);
        if (note !== null) return note;
      }
    }
  }
  return null;
}

function noteAbout(
  notes: Notes,
  schema: ComparedPlace,
  keyword: string | null,
): string | null {
  const id = idOf(schema);
  const own = notes.get(id);
  if (own !== undefined) return own;
  for (const [at, text] of notes) {
    if (!at.startsWith(`${id}/`)) continue;
    const [key = "", ...inner] = at.slice(id.length + 1).split("/");
    if (inner.length > 0 && holders.has(key)) continue;
    const isOneWay = key === "readOnly" || key === "writeOnly";
    const isAbout = keyword === null || key === keyword || holders.has(key);
    if (isAbout || isOneWay) return text;
  }
  return null;
}
