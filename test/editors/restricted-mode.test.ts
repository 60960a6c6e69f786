import { expect, onTestFinished, test } from "vitest";
import { loadExtensionModule } from "./load-extension-module.js";

/** The parts of the editor and of its language client that the extension uses. */
const vscode = `
const state = globalThis.restrictedModeTest;
const dispose = () => {};
export const commands = {
  registerCommand: (name, run) => {
    state.commands[name] = run;
    return { dispose };
  },
};
export const tasks = {
  registerTaskProvider: (_, provider) => {
    state.provider = provider;
    return { dispose };
  },
  executeTask: async (task) => state.ran.push(task),
};
export const languages = { registerDeclarationProvider: () => ({ dispose }) };
export const window = {
  showWarningMessage: async (text) => state.warnings.push(text),
};
export const workspace = {
  get isTrusted() { return state.isTrusted; },
  createFileSystemWatcher: () => ({ dispose }),
  findFiles: async () => expectTrust() ?? [],
  getConfiguration: () => ({ get: () => "./hostile" }),
  onDidGrantWorkspaceTrust: (listener) => {
    state.grant = listener;
    return { dispose };
  },
};
const expectTrust = () => {
  if (!state.isTrusted) throw new Error("looked for files to run");
};
export const TransportKind = { stdio: 0 };
export class LanguageClient {
  constructor(id, name, server, { initializationOptions }) {
    Object.assign(this, { server, initializationOptions });
  }
  async start() { state.clients.push(this); }
  async stop() { state.clients.pop(); }
}
`;

test("Restricted Mode runs nothing of the workspace until it is trusted", async () => {
  const runs: Record<string, () => Promise<void>> = {};
  const state = {
    isTrusted: false,
    clients: [],
    commands: runs,
    provider: {
      provideTasks: async () => [{}],
      resolveTask: (_: object) => ({}),
    },
    ran: [],
    warnings: [],
    grant: () => {},
  };
  Reflect.set(globalThis, "restrictedModeTest", state);
  onTestFinished(
    () => void Reflect.deleteProperty(globalThis, "restrictedModeTest"),
  );
  const { activate } = await loadExtensionModule("extension.ts", vscode);
  const asAbsolutePath = (path: string) => `/extension/${path}`;
  await activate({ asAbsolutePath, subscriptions: [] });

  const own = { module: "/extension/dist/server.mjs" };
  expect(state.clients).toMatchObject([
    { initializationOptions: { isTrusted: false }, server: own },
  ]);
  expect(await state.provider.provideTasks()).toEqual([]);
  expect(state.provider.resolveTask({})).toBeUndefined();
  for (const name of ["ridl.generate", "ridl.check", "ridl.openExplorer"]) {
    await runs[name]?.();
  }
  expect(state.ran).toEqual([]);
  expect(state.warnings).toHaveLength(3);

  state.isTrusted = true;
  state.grant();
  await expect
    .poll(() => state.clients)
    .toMatchObject([
      {
        initializationOptions: { isTrusted: true },
        server: { command: "./hostile" },
      },
    ]);
});
