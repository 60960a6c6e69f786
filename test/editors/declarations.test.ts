import { expect, test } from "vitest";
import { startEditor } from "../lsp/editor.js";
import { loadExtensionModule } from "./load-extension-module.js";

/**
 * A stub of the parts of VS Code's API that the extension uses. The test sets
 * the definitions that it returns.
 */
const vscode = `
const state = globalThis.declarationsTest;
export class Location {
  constructor(uri, range) { Object.assign(this, { uri, range }); }
}
export const Uri = { parse: (text) => text };
export const commands = { executeCommand: async () => state.definitions };
export const workspace = {
  openTextDocument: async (uri) => ({ getText: () => state.read(uri) }),
};
`;

test("Go to Declaration navigates from generated code to the contract", async () => {
  const editor = await startEditor({
    "ridl.config.yaml": "schema: [shop.ridl]\nout: generated\n",
    "shop.ridl":
      "webrpc = v1\nname = shop\nversion = v1\n\nservice Shop\n  - Ping()\n",
    "own.ts": "export const ping = 1;\n",
  });
  await editor.sandbox.run(["generate"]);
  const client = editor.sandbox.read("generated/client.ts").split("\n");
  const line = client.findIndex((each) => each.startsWith("  readonly ping"));
  const range = { start: { line, character: "  readonly ".length } };
  const own = { uri: editor.uriOf("own.ts"), range: { start: { line: 0 } } };
  const state = {
    definitions: [
      { uri: editor.uriOf("generated/client.ts"), range },
      {
        targetUri: editor.uriOf("generated/client.ts"),
        targetRange: {},
        targetSelectionRange: range,
      },
      own,
    ],
    read: (uri: string) =>
      editor.sandbox.read(uri.slice(editor.uriOf("").length)),
  };
  Reflect.set(globalThis, "declarationsTest", state);
  const { createDeclarationProvider } = await loadExtensionModule(
    "declarations.ts",
    vscode,
  );
  const provider = createDeclarationProvider(() => ({
    sendRequest: (method: string, params: object) =>
      editor.connection.sendRequest(method, params),
    protocol2CodeConverter: { asRange: (each: object) => each },
  }));
  const declaration = {
    uri: editor.uriOf("shop.ridl"),
    range: {
      start: { line: 5, character: 4 },
      end: { line: 5, character: 8 },
    },
  };
  expect(await provider.provideDeclaration({ uri: own.uri }, {})).toEqual([
    declaration,
    declaration,
  ]);
  state.definitions = [own];
  expect(await provider.provideDeclaration({ uri: own.uri }, {})).toEqual([
    own,
  ]);
  Reflect.deleteProperty(globalThis, "declarationsTest");
  expect(await editor.end()).toBe(0);
});
