import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadExtensionModule } from "./load-extension-module.js";

/** The parts of the editor that the task provider uses. */
const vscode = `
const uriOf = (path) => ({ path, fsPath: path });
const folder = { uri: uriOf("/work") };
export class ShellExecution {
  constructor(command, args, { cwd }) { Object.assign(this, { args, cwd }); }
}
export class Task {
  constructor(definition, scope, name, source, execution, matchers) {
    Object.assign(this, { name, execution, matchers });
  }
}
export const Uri = {
  joinPath: ({ path }, part) =>
    uriOf(part === ".." ? path.replace(/[/][^/]*$/, "") : path + "/" + part),
};
export const window = {};
export const tasks = {};
export const workspace = {
  isTrusted: true,
  findFiles: async () => [
    uriOf("/work/apis/shop/ridl.config.yaml"),
    uriOf("/work/ridl.config.yaml"),
  ],
  fs: { stat: () => Promise.reject(new Error("no such file")) },
  getConfiguration: () => ({ get: (name, value) => value }),
  getWorkspaceFolder: () => folder,
};
`;

test("tasks report faults only in projects that the language server might not check", async () => {
  const { createTaskProvider } = await loadExtensionModule("tasks.ts", vscode);
  const tasks = await createTaskProvider().provideTasks();
  expect(
    tasks.map(({ matchers, name }: Record<string, unknown>) => [
      name,
      matchers,
    ]),
  ).toEqual([
    ["generate (apis/shop)", ["$ridl"]],
    ["generate", []],
    ["check (apis/shop)", ["$ridl"]],
    ["check", []],
  ]);
});

test("tasks print paths relative to the folder that the matcher uses", async () => {
  const { createTaskProvider } = await loadExtensionModule("tasks.ts", vscode);
  const [task] = await createTaskProvider().provideTasks();
  expect(task.name).toBe("generate (apis/shop)");
  expect(task.execution.cwd).toBe("/work");
  expect(task.execution.args).toEqual([
    "ridlkit",
    "generate",
    "--config",
    "apis/shop/ridl.config.yaml",
  ]);
  const manifest = readFileSync("apps/editors/vscode/package.json", "utf8");
  const [{ fileLocation }] = JSON.parse(manifest).contributes.problemMatchers;
  expect(fileLocation).toEqual(["relative", "${workspaceFolder}"]);
});
