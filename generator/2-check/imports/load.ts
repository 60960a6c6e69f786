import type { Document } from "../../1-parse/ast.js";
import { parseDocument } from "../../1-parse/index.js";
import type { Diagnostic, Outcome } from "../../diagnostics/diagnostic.js";
import type { Host } from "../host.js";
import type { LoadedDocument, LoadedImport } from "../program.js";
import { locate, relate, reportError } from "../report.js";
import { joinImportPath, normalizePath } from "./path.js";

/** A document on the way from an entry, and how many imports were followed. */
interface Visit {
  readonly document: LoadedDocument;
  next: number;
}

/** What loading has found so far. */
interface Progress {
  readonly host: Host;
  /** Finished documents, imported ones first. */
  readonly documents: LoadedDocument[];
  /** Every document that was begun, by path; null when it does not exist. */
  readonly known: Map<string, LoadedDocument | null>;
  readonly diagnostics: Diagnostic[];
}

/**
 * Reads the entries and everything that they import, each document once.
 * Input: paths as given by the user.
 * Output: documents, imported ones before those that import them.
 * Errors: `missing-file`, `import-cycle`, and what parsing reports.
 * Source: docs/ridl.md, imports.
 */
export function loadDocuments(
  entries: readonly string[],
  host: Host,
): Outcome<readonly LoadedDocument[]> {
  const progress: Progress = {
    host,
    documents: [],
    known: new Map(),
    diagnostics: [],
  };
  for (const entry of entries) {
    const document = loadDocument(normalizePath(entry), progress);
    if (document === null) progress.diagnostics.push(missingEntry(entry));
  }
  return { value: progress.documents, diagnostics: progress.diagnostics };
}

/** Loads a document and all that it imports; no recursion, chains are long. */
function loadDocument(path: string, progress: Progress): LoadedDocument | null {
  const known = progress.known.get(path);
  if (known !== undefined) return known;
  const root = readDocument(path, progress);
  if (root === null) return null;
  const visits: Visit[] = [{ document: root, next: 0 }];
  const depths = new Map([[path, 0]]);
  for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
    const { document } = visit;
    const target = document.imports[visit.next];
    visit.next += 1;
    if (target === undefined) {
      progress.documents.push(document);
      depths.delete(document.path);
      visits.pop();
      continue;
    }
    const depth = depths.get(target.path);
    if (depth !== undefined) {
      progress.diagnostics.push(importCycle(visits.slice(depth)));
      continue;
    }
    const isNew = !progress.known.has(target.path);
    const imported = findImported(target, progress);
    if (imported === null) {
      progress.diagnostics.push(missingImport(target, document));
    } else if (isNew) {
      depths.set(target.path, visits.length);
      visits.push({ document: imported, next: 0 });
    }
  }
  return root;
}

function findImported(
  { syntax, path }: LoadedImport,
  progress: Progress,
): LoadedDocument | null {
  // `""`, `.` and the like can only be folders, which no host can read.
  if (/^[./]*$/.test(syntax.path.text)) return null;
  const known = progress.known.get(path);
  return known === undefined ? readDocument(path, progress) : known;
}

function readDocument(path: string, progress: Progress): LoadedDocument | null {
  const text = progress.host.read(path);
  if (text === null) {
    progress.known.set(path, null);
    return null;
  }
  const parse = progress.host.parse ?? parseDocument;
  const { value, diagnostics } = parse({ path, text });
  progress.diagnostics.push(...diagnostics);
  const document: LoadedDocument = {
    path,
    syntax: value,
    imports: locateImports(path, value),
    isBroken: diagnostics.some(({ severity }) => severity === "error"),
  };
  progress.known.set(path, document);
  return document;
}

function locateImports(
  path: string,
  document: Document,
): readonly LoadedImport[] {
  return document.items
    .filter((item) => item.kind === "import")
    .map((syntax) => ({
      syntax,
      path: joinImportPath(path, syntax.path.text),
    }));
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

/** The import that each document of a cycle follows to the next. */
function importCycle(visits: readonly Visit[]): Diagnostic {
  const steps = visits.flatMap(({ document, next }) => {
    const target = document.imports[next - 1];
    return target ? [{ document, syntax: target.syntax }] : [];
  });
  const last = steps.at(-1);
  const paths = steps.map((step) => step.document.path);
  const chain = [...paths, paths[0]].map((path) => `\`${path}\``).join(" → ");
  return {
    code: "import-cycle",
    severity: "error",
    message: `imports form a cycle: ${chain}`,
    ...(last && { location: locate(last.document, last.syntax.path) }),
    related: steps.slice(0, -1).map((step, index) => {
      const next = paths[index + 1] ?? "";
      return relate(step.document, step.syntax.path, `leads to \`${next}\``);
    }),
    help: "move what both need into a document that imports neither",
  };
}
