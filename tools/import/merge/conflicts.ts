import type { Diagnostic } from "../../../generator/diagnostics/diagnostic.js";
import type { MergeableEntry } from "./entries.js";
import type { Conflict } from "./merge-entries.js";

/**
 * Reports conflicts at the entry, or else at what contains it. `find` returns
 * the entry with an id in the files of the person.
 */
export function reportConflicts(
  conflicts: readonly Conflict[],
  isStrict: boolean,
  find: (id: string) => MergeableEntry | undefined,
): readonly Diagnostic[] {
  return conflicts.map((conflict) => {
    const {
      home,
      id,
      instead,
      isFatal,
      message,
      current = [],
      incoming,
    } = conflict;
    const location = (find(id) ?? find(home))?.location;
    const isError = isStrict || isFatal === true;
    return {
      code: "import-conflict",
      severity: isError ? "error" : "warning",
      message,
      ...(location && { location }),
      notes: [
        ...quoteLines("here", current),
        ...quoteLines("in the document", incoming),
        ...(isError ? [] : [instead]),
      ],
      ...(isFatal === true && {
        help: "rename the one here, and import again",
      }),
    };
  });
}

function quoteLines(place: string, lines: readonly string[]): string[] {
  const text = lines.map((line) => line.trim()).join(" ");
  return text === "" ? [] : [`${place}: ${text}`];
}
