import * as vscode from "vscode";

/** Opens a generated explorer in the browser. */
export async function openExplorer(): Promise<void> {
  const pages = await vscode.workspace.findFiles(
    "**/explorer/index.html",
    "**/node_modules/**",
  );
  const [first, ...others] = pages;
  if (first === undefined) {
    await vscode.window.showInformationMessage(
      "There is no explorer yet. Add `docs` to ridl.config.yaml, then generate.",
    );
    return;
  }
  const page = others.length === 0 ? first : await choose(pages);
  if (page !== undefined) await vscode.env.openExternal(page);
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
