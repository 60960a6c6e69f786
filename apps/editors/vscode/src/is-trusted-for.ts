import * as vscode from "vscode";

/**
 * Whether the user trusts the workspace. If not, shows why an action, such as
 * "Running tasks", is unavailable. Other extensions and key bindings can call
 * commands that the editor hides in Restricted Mode.
 */
export async function isTrustedFor(action: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  await vscode.window.showWarningMessage(
    `${action} runs code of this workspace, which you have not trusted yet.`,
  );
  return false;
}
