import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as vscode from "vscode";
import { createExplorerServer } from "@ridlkit/runtime/explorer";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { isTrustedFor } from "./is-trusted-for.js";

/** Opens a generated explorer in the browser. */
export async function openExplorer({
  subscriptions,
}: vscode.ExtensionContext): Promise<void> {
  // The scripts of the page are files of the workspace.
  if (!(await isTrustedFor("Opening its explorer"))) return;
  const pages = await vscode.workspace.findFiles(
    "**/explorer/index.html",
    "**/node_modules/**",
  );
  const [first, ...others] = pages;
  if (first === undefined) {
    await vscode.window.showInformationMessage(
      "There is no explorer yet. Add `docs` to ridl.config.yaml, then generate the code.",
    );
    return;
  }
  const page = others.length === 0 ? first : await choose(pages);
  if (page !== undefined) await serveExplorer(page, subscriptions);
}

/**
 * Opens the page from a server on this machine. In remote workspaces, the
 * browser runs on another machine and cannot read the page's file. The editor
 * forwards the port.
 */
async function serveExplorer(
  page: vscode.Uri,
  subscriptions: vscode.Disposable[],
): Promise<void> {
  const explorer = createExplorerServer((name) =>
    readFileSync(vscode.Uri.joinPath(page, "..", name).fsPath, "utf8"),
  );
  const server = createServer(toNodeHandler(explorer));
  subscriptions.push({ dispose: () => server.close() });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) return;
  await vscode.env.openExternal(
    vscode.Uri.parse(`http://127.0.0.1:${address.port}/`),
  );
}

async function choose(
  pages: readonly vscode.Uri[],
): Promise<vscode.Uri | undefined> {
  const items = pages.map((page) => ({
    label: vscode.workspace.asRelativePath(page),
    page,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: "Which explorer?",
  });
  return chosen?.page;
}
