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
  context.subscriptions.push(
    registerCommand("ridl.generate", () => runTask("generate")),
    registerCommand("ridl.check", () => runTask("check")),
    registerCommand("ridl.openExplorer", () => openExplorer(context)),
    registerCommand("ridl.showPlaces", showPlaces),
    registerCommand("ridl.restart", () => client?.restart()),
    vscode.tasks.registerTaskProvider("ridl", createTaskProvider()),
  );
  const files = vscode.workspace.createFileSystemWatcher("**/ridl.config.yaml");
  context.subscriptions.push(files);
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
    initializationOptions: { showsPlaces: true },
  });
  const languages = ["javascript", "typescript"].flatMap((language) => [
    language,
    `${language}react`,
  ]);
  context.subscriptions.push(
    vscode.languages.registerDeclarationProvider(
      languages.map((language) => ({ scheme: "file", language })),
      createDeclarationProvider(client),
    ),
  );
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
