import * as vscode from "vscode";
import { isTrustedFor } from "./is-trusted-for.js";

/** A task in `tasks.json`. */
interface RidlTask extends vscode.TaskDefinition {
  readonly command: string;
  readonly args?: readonly string[];
  /** Folder of the configuration file, relative to the workspace folder. */
  readonly folder?: string;
}

/**
 * Provides tasks that run `ridl generate` and `ridl check` for each
 * configuration file.
 */
export function createTaskProvider(): vscode.TaskProvider {
  return {
    provideTasks: async () => {
      if (!vscode.workspace.isTrusted) return [];
      const all = await Promise.all(["generate", "check"].map(findTasks));
      return all.flat();
    },
    resolveTask: ({ definition, scope }) => {
      if (!vscode.workspace.isTrusted) return undefined;
      const folder = isFolder(scope)
        ? scope
        : vscode.workspace.workspaceFolders?.[0];
      const { command } = definition;
      if (folder === undefined || typeof command !== "string") return undefined;
      return createTask({ ...definition, command }, folder);
    },
  };
}

/** Runs a command for every configuration file in the workspace. */
export async function runTask(command: string): Promise<void> {
  if (!(await isTrustedFor("The task"))) return;
  const tasks = await findTasks(command);
  if (tasks.length === 0) {
    await vscode.window.showInformationMessage(
      "There is no ridl.config.yaml in this workspace. `npx ridlkit init` writes one.",
    );
  }
  for (const task of tasks) await vscode.tasks.executeTask(task);
}

async function findTasks(command: string): Promise<vscode.Task[]> {
  const files = await vscode.workspace.findFiles(
    "**/ridl.config.yaml",
    "**/node_modules/**",
  );
  const tasks = files.map(async (file) => {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (folder === undefined) return [];
    const path = vscode.Uri.joinPath(file, "..").path;
    const below = path.slice(folder.uri.path.length + 1);
    const definition = { type: "ridl", command };
    return [
      await createTask(
        below === "" ? definition : { ...definition, folder: below },
        folder,
      ),
    ];
  });
  return (await Promise.all(tasks)).flat();
}

async function createTask(
  definition: RidlTask,
  scope: vscode.WorkspaceFolder,
): Promise<vscode.Task> {
  const { args = [], command, folder = "" } = definition;
  const cwd = vscode.Uri.joinPath(scope.uri, folder);
  const [program = "", ...first] = await findCommand(scope, cwd);
  const name = folder === "" ? command : `${command} (${folder})`;
  // The problem matcher resolves paths against the workspace folder.
  const config =
    folder === "" ? [] : ["--config", `${folder}/ridl.config.yaml`];
  const all = [...first, command, ...config, ...args];
  const run = new vscode.ShellExecution(program, all, {
    cwd: scope.uri.fsPath,
    // Colors would hide diagnostics from the problem matcher.
    env: { NO_COLOR: "1" },
  });
  // The server reports all documents of a project at the root.
  const matchers = folder === "" ? [] : ["$ridl"];
  return new vscode.Task(definition, scope, name, "ridl", run, matchers);
}

/** Returns the command from the settings or the project, or else `npx`. */
async function findCommand(
  scope: vscode.WorkspaceFolder,
  cwd: vscode.Uri,
): Promise<readonly string[]> {
  const settings = vscode.workspace.getConfiguration("ridl", scope);
  const path = settings.get("path", "");
  if (path !== "") return [path];
  for (const folder of [cwd, scope.uri]) {
    const own = vscode.Uri.joinPath(folder, "node_modules/.bin/ridl");
    const isThere = await vscode.workspace.fs.stat(own).then(
      () => true,
      () => false,
    );
    if (isThere) return [own.fsPath];
  }
  return ["npx", "ridlkit"];
}

function isFolder(scope: unknown): scope is vscode.WorkspaceFolder {
  return typeof scope === "object" && scope !== null && "uri" in scope;
}
