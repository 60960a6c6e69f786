import * as vscode from "vscode";
import {
  LanguageClient,
  TransportKind,
  type ServerOptions,
} from "vscode-languageclient/node";
import { createDeclarationProvider } from "./declarations.js";
import { openExplorer } from "./open-explorer.js";
import { createTaskProvider, runTask } from "./tasks.js";
import { showPlaces } from "./show-places.js";

let client: LanguageClient | undefined;

/** Starts the language server and registers commands and tasks. */
export async function activate(
  context: vscode.ExtensionContext,
): Promise<void> {
  const { registerCommand } = vscode.commands;
  const files = vscode.workspace.createFileSystemWatcher("**/ridl.config.yaml");
  context.subscriptions.push(
    files,
    registerCommand("ridl.generate", () => runTask("generate")),
    registerCommand("ridl.check", () => runTask("check")),
    registerCommand("ridl.openExplorer", () => openExplorer(context)),
    registerCommand("ridl.showPlaces", showPlaces),
    registerCommand("ridl.restart", () => client?.restart()),
    vscode.tasks.registerTaskProvider("ridl", createTaskProvider()),
    vscode.languages.registerDeclarationProvider(
      ["javascript", "typescript"]
        .flatMap((language) => [language, `${language}react`])
        .map((language) => ({ scheme: "file", language })),
      createDeclarationProvider(() => client),
    ),
    // Trust decides which server runs, and what it may do.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      started = started.then(async () => {
        await client?.stop();
        await startClient(context, files);
      });
    }),
  );
  let started = startClient(context, files);
  await started;
}

async function startClient(
  context: vscode.ExtensionContext,
  files: vscode.FileSystemWatcher,
): Promise<void> {
  const { isTrusted } = vscode.workspace;
  client = new LanguageClient("ridl", "RIDL", serverOptions(context), {
    documentSelector: [
      { scheme: "file", language: "ridl" },
      { scheme: "untitled", language: "ridl" },
      { scheme: "file", pattern: "**/ridl.config.yaml" },
    ],
    synchronize: { fileEvents: files },
    // The owner of the problem matcher, so that tasks replace diagnostics
    // instead of repeating them.
    diagnosticCollectionName: "ridl",
    initializationOptions: { isTrusted, showsPlaces: true },
  });
  await client.start();
}

/** Stops the language server. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}

function serverOptions(context: vscode.ExtensionContext): ServerOptions {
  const { isTrusted } = vscode.workspace;
  const settings = vscode.workspace.getConfiguration("ridl");
  const command = isTrusted ? settings.get("server.path", "") : "";
  if (command !== "") return { command, args: ["lsp"] };
  return {
    module: context.asAbsolutePath("dist/server.mjs"),
    transport: TransportKind.stdio,
  };
}
