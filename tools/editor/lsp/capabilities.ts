import type {
  Registration,
  ServerCapabilities,
} from "vscode-languageserver-protocol";
import { actionKinds } from "./protocol/edits.js";
import { tokenLegend } from "./protocol/symbols.js";

/** Everything that the server can do. */
export const capabilities: ServerCapabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: {
    openClose: true,
    // Incremental: edits contain only the changed text.
    change: 2,
    save: false,
  },
  completionProvider: {
    triggerCharacters: [...'@:=+|<({,/" '],
    resolveProvider: true,
  },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ["(", ",", ":"] },
  definitionProvider: true,
  typeDefinitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  semanticTokensProvider: { legend: tokenLegend, full: true, range: true },
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: {},
  codeLensProvider: {},
  inlayHintProvider: {},
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  codeActionProvider: { codeActionKinds: Object.values(actionKinds) },
  workspace: {
    workspaceFolders: { supported: true, changeNotifications: true },
  },
};

/** The language ID of templates. */
const templateLanguage = "handlebars";

/** Whether a file can be a part of a template set. */
export function isTemplateFile(uri: string, languageId: string): boolean {
  return languageId === templateLanguage || uri.endsWith("/names.json");
}

/**
 * What the server can do for templates. It is registered after the start, because
 * {@link capabilities} apply to all languages of a client. Otherwise, editors
 * would ask which of two programs formats Handlebars.
 */
export const templateRegistrations: readonly Registration[] = [
  { method: "textDocument/didOpen" },
  { method: "textDocument/didChange", options: { syncKind: 2 } },
  { method: "textDocument/didClose" },
  {
    method: "textDocument/completion",
    options: { triggerCharacters: [...'{#/>(."@ '], resolveProvider: true },
  },
  { method: "textDocument/hover" },
  { method: "textDocument/definition" },
].map(({ method, options }) => ({
  id: `templates ${method}`,
  method,
  registerOptions: {
    documentSelector: [
      { scheme: "file", language: templateLanguage },
      { scheme: "file", pattern: "**/names.json" },
    ],
    ...options,
  },
}));
