import { normalizePath } from "../1-parse/load/import-path.js";
import type {
  LoadedDocument,
  LoadedDocuments,
  LoadedImport,
} from "../1-parse/load/load-documents.js";
import type { Diagnostic, Diagnosed } from "../diagnostics/diagnostic.js";
import { type Edge, walkGraph } from "./program/graph.js";
import { locate, relate, reportError } from "./report/report.js";

/**
 * Sorts the documents that the entries import, directly or not.
 * Input: paths as given by the user. Output: documents, imported ones before
 * those that import them.
 * Errors: `missing-file`, `import-cycle`. Source: docs/ridl.md, imports.
 */
export function orderDocuments(
  entries: readonly string[],
  documents: LoadedDocuments,
): Diagnosed<readonly LoadedDocument[]> {
  const roots = entries.map((path) => documents.get(normalizePath(path)));
  const { finished, cycles } = walkGraph(
    roots.filter((each) => each != null),
    (from) =>
      from.imports.flatMap((via) => {
        const to = documents.get(via.path);
        return to ? { from, to, via } : [];
      }),
  );
  const missing = [...finished].flatMap((document) =>
    document.imports
      .filter(({ path }) => documents.get(path) == null)
      .map((target) => missingImport(target, document)),
  );
  const diagnostics = [
    ...entries.filter((_, index) => roots[index] == null).map(missingEntry),
    ...missing,
    ...cycles.map(importCycle),
  ];
  return { value: [...finished], diagnostics };
}

function missingEntry(path: string): Diagnostic {
  return {
    code: "missing-file",
    severity: "error",
    message: `\`${path}\` does not exist`,
  };
}

function missingImport(
  target: LoadedImport,
  document: LoadedDocument,
): Diagnostic {
  return reportError(
    "missing-file",
    locate(document, target.syntax.path),
    `imported file \`${target.path}\` does not exist`,
    { notes: [`paths are relative to \`${document.path}\``] },
  );
}

/** Reported at the import that closes the cycle. */
function importCycle(
  edges: readonly Edge<LoadedDocument, LoadedImport>[],
): Diagnostic {
  const paths = edges.map(({ from }) => `\`${from.path}\``);
  const last = edges.at(-1);
  return {
    code: "import-cycle",
    severity: "error",
    message: `imports form a cycle: ${[...paths, paths[0]].join(" → ")}`,
    ...(last && { location: locate(last.from, last.via.syntax.path) }),
    related: edges
      .slice(0, -1)
      .map(({ from, to, via }) =>
        relate(from, via.syntax.path, `leads to \`${to.path}\``),
      ),
    help: "move what both need into a document that imports neither",
  };
}
