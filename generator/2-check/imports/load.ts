import type { Document, Import } from "../../1-parse/ast.js";
import { parseDocument } from "../../1-parse/index.js";
import type { Diagnostic, Outcome } from "../../diagnostics/diagnostic.js";
import type { Host } from "../host.js";
import type { LoadedDocument, LoadedImport } from "../program.js";
import { locate, relate, reportError } from "../report.js";
import { joinImportPath, normalizePath } from "./path.js";

/** An import on the way from an entry to the document being loaded. */
interface Step {
  readonly document: LoadedDocument;
  readonly syntax: Import;
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
    const document = loadDocument(normalizePath(entry), [], progress);
    if (document === null) progress.diagnostics.push(missingEntry(entry));
  }
  return { value: progress.documents, diagnostics: progress.diagnostics };
}

function loadDocument(
  path: string,
  steps: readonly Step[],
  progress: Progress,
): LoadedDocument | null {
  const known = progress.known.get(path);
  if (known !== undefined) return known;
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
  for (const each of document.imports) {
    followImport(each, document, steps, progress);
  }
  progress.documents.push(document);
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

function followImport(
  target: LoadedImport,
  document: LoadedDocument,
  steps: readonly Step[],
  progress: Progress,
): void {
  const path = [...steps, { document, syntax: target.syntax }];
  const start = path.findIndex((step) => step.document.path === target.path);
  if (start !== -1) {
    progress.diagnostics.push(importCycle(path.slice(start)));
    return;
  }
  // `""`, `.` and the like can only be folders, which no host can read.
  const isFolder = /^[./]*$/.test(target.syntax.path.text);
  if (isFolder || loadDocument(target.path, path, progress) === null) {
    progress.diagnostics.push(missingImport(target, document));
  }
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

function importCycle(steps: readonly Step[]): Diagnostic {
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
