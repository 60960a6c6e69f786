import { normalizePath } from "../1-parse/load/import-path.js";
import type {
  DocumentReader,
  LoadedDocument,
  LoadedDocuments,
  LoadedImport,
} from "../1-parse/load/load-documents.js";
import type { Diagnostic, Diagnosed } from "../diagnostics/diagnostic.js";
import { type Edge, printCycle, walkGraph } from "./program/graph.js";
import { toDiagnostic } from "./report/finding.js";

/**
 * Sorts documents so that imported documents come before their importers.
 * Errors: `missing-file`, `file-access`, `import-cycle`.
 */
export function orderDocuments(
  entries: readonly string[],
  documents: LoadedDocuments,
  reader: EntryReader = {},
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
      .map((target) => missingImport(target, document, reader)),
  );
  const diagnostics = [
    ...entries
      .filter((_, index) => roots[index] == null)
      .map((path) => missingEntry(path, reader)),
    ...missing,
    ...cycles.flatMap(importCycle),
  ];
  return { value: [...finished], diagnostics };
}

/** What a reader knows about documents that it could not read. */
export type EntryReader = Pick<DocumentReader, "faultOf" | "locationOf">;

function missingEntry(path: string, reader: EntryReader): Diagnostic {
  const location = reader.locationOf?.(path);
  return {
    severity: "error",
    ...describe(`\`${path}\``, path, reader),
    ...(location && { location }),
  };
}

function describe(
  name: string,
  path: string,
  reader: EntryReader,
): Pick<Diagnostic, "code" | "message"> {
  const fault = reader.faultOf?.(path) ?? null;
  return fault === null
    ? { code: "missing-file", message: `${name} does not exist` }
    : { code: "file-access", message: `${name} cannot be read: ${fault}` };
}

function missingImport(
  { syntax, path }: LoadedImport,
  document: LoadedDocument,
  reader: EntryReader,
): Diagnostic {
  const name = `imported file \`${path}\``;
  const { code, message } = describe(name, path, reader);
  return toDiagnostic(code, "error", {
    document,
    at: syntax.path,
    message,
    notes: [`import paths are relative to \`${document.path}\``],
  });
}

/** Reports a cycle at the import that closes it. */
function importCycle(
  edges: readonly Edge<LoadedDocument, LoadedImport>[],
): readonly Diagnostic[] {
  const last = edges.at(-1);
  if (last === undefined) return [];
  return [
    toDiagnostic("import-cycle", "error", {
      document: last.from,
      at: last.via.syntax.path,
      message: `imports form a cycle: ${printCycle(edges, ({ path }) => path)}`,
      related: edges.slice(0, -1).map(({ from, to, via }) => ({
        document: from,
        at: via.syntax.path,
        label: `leads to \`${to.path}\``,
      })),
      help: "move the shared declarations into a document outside the cycle",
    }),
  ];
}
