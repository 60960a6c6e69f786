import type {
  CodeAction,
  Diagnostic,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { groupBy } from "../../../../generator/ir/group-by.js";
import type * as results from "../../service/model/results.js";
import { toRange, type ProtocolPlaces } from "./places.js";

/** Converts edits to one document. */
export function toTextEdits(
  edits: readonly results.DocumentEdit[],
  text: TextDocument,
): TextEdit[] {
  return edits.map(({ replacement, span }) => ({
    range: toRange(text, span),
    newText: replacement,
  }));
}

/**
 * Converts edits to any documents.
 * `isVersioned` says whether the client refuses edits to older versions.
 */
export function toWorkspaceEdit(
  edits: readonly results.DocumentEdit[],
  places: ProtocolPlaces,
  isVersioned: boolean,
): WorkspaceEdit {
  const byPath = groupBy(edits, ({ path }) => path);
  const changed = [...byPath].map(([path, own]) => ({
    path,
    uri: places.uriOf(path),
    edits: toTextEdits(own, places.textOf(path)),
  }));
  if (!isVersioned) {
    const changes = changed.map(({ edits: own, uri }) => [uri, own]);
    return { changes: Object.fromEntries(changes) };
  }
  return {
    documentChanges: changed.map(({ edits: own, path, uri }) => ({
      textDocument: { uri, version: places.versionOf(path) },
      edits: own,
    })),
  };
}

/** The protocol's names for the kinds of code actions. */
export const actionKinds = {
  fix: "quickfix",
  extract: "refactor.extract",
  rewrite: "refactor.rewrite",
  "organize-imports": "source.organizeImports",
} as const satisfies Readonly<Record<results.CodeAction["kind"], string>>;

/** Converts a code action. Input: the diagnostics in the client's request. */
export function toCodeAction(
  { code, edits, isPreferred, kind, title }: results.CodeAction,
  asked: readonly Diagnostic[],
  places: ProtocolPlaces,
  isVersioned: boolean,
): CodeAction {
  const diagnostics = asked.filter((each) => each.code === code);
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    kind: actionKinds[kind],
    edit: toWorkspaceEdit(edits, places, isVersioned),
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(isPreferred && { isPreferred }),
  };
}
