import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { loadExtensionModule } from "./load-extension-module.js";

/**
 * The parts of the editor that the command uses. The test sets the pages, and
 * reads which address was opened.
 */
const vscode = `
import { join } from "node:path";
const state = globalThis.explorerTest;
export const Uri = {
  joinPath: ({ fsPath }, ...names) => ({ fsPath: join(fsPath, ...names) }),
  parse: (text) => text,
};
export const workspace = {
  findFiles: async () => state.pages,
  get isTrusted() { return state.isTrusted; },
};
export const window = { showWarningMessage: async () => {} };
export const env = { openExternal: async (uri) => { state.opened = uri; } };
`;

test("Open Explorer serves the page of a trusted workspace and opens its URL", async () => {
  const { read, root, run } = createSandbox({
    "ridl.config.yaml":
      "schema: [shop.ridl]\nout: generated\nemit: [defaults, docs]\n",
    "shop.ridl":
      "webrpc = v1\nname = shop\nversion = v1\n\nservice Shop\n  - Ping()\n",
  });
  await run(["generate"]);
  const page = { fsPath: join(root, "generated/explorer/index.html") };
  const state = { isTrusted: false, opened: "", pages: [page] };
  Reflect.set(globalThis, "explorerTest", state);
  const subscriptions: { dispose: () => void }[] = [];
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, "explorerTest");
    for (const each of subscriptions) each.dispose();
  });

  const { openExplorer } = await loadExtensionModule(
    "open-explorer.ts",
    vscode,
  );
  await openExplorer({ subscriptions });
  expect(state.opened, "in Restricted Mode").toBe("");
  state.isTrusted = true;
  await openExplorer({ subscriptions });

  expect(state.opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/u);
  for (const name of ["index.html", "explorer.js", "openapi.yaml"]) {
    const path = name === "index.html" ? "" : name;
    const response = await fetch(new URL(path, state.opened));
    expect(await response.text()).toBe(read(`generated/explorer/${name}`));
  }
});
