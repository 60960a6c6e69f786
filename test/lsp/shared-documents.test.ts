import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import {
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ReferencesRequest,
  RenameRequest,
  type Location,
  type LocationLink,
  type Range,
  type WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { createEditorProjects } from "../../cli/project/editor-projects.js";
import { EditorWorkspace } from "../../tools/editor/lsp/workspace.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { startEditor, startHere, type Editor } from "./editor.js";

const types = "webrpc = v1\n\nstruct User\n  - id: string\n";

const api = `webrpc = v1
name = api
version = v1

import "../shared/types.ridl"

struct Page
  - user: User
`;

const files = {
  "api/ridl.config.yaml": "schema: [api.ridl]\nimportFolders: [../shared]\n",
  "api/api.ridl": api,
  "shared/types.ridl": types,
};

const apiPath = "api/api.ridl";
const sharedPath = "shared/types.ridl";

/** Asks for something at the mention of `User` in the API. */
function atUser(editor: Editor) {
  const position = editor.positionOf(apiPath, "User", 1);
  return { textDocument: { uri: editor.uriOf(apiPath) }, position };
}

async function rename(editor: Editor): Promise<WorkspaceEdit> {
  const edit = await editor.connection.sendRequest(RenameRequest.type, {
    ...atUser(editor),
    newName: "Person",
  });
  return edit ?? expect.unreachable();
}

/** Returns the version that an edit is for, and the text that it results in. */
function applyTo(
  uri: string,
  text: string,
  { documentChanges = [] }: WorkspaceEdit,
): { readonly version: number | null; readonly text: string } {
  for (const each of documentChanges) {
    if (!("edits" in each) || each.textDocument.uri !== uri) continue;
    const edits = each.edits.filter((edit) => "newText" in edit);
    const before = TextDocument.create(uri, "ridl", 0, text);
    const after = TextDocument.applyEdits(before, edits);
    return { version: each.textDocument.version, text: after };
  }
  return expect.unreachable(`${uri} has no edits`);
}

function textAt(text: string, range: Range): string {
  return TextDocument.create("", "ridl", 0, text).getText(range);
}

async function findUser(editor: Editor): Promise<readonly LocationLink[]> {
  const found = await editor.connection.sendRequest<LocationLink[]>(
    DefinitionRequest.method,
    atUser(editor),
  );
  return found;
}

test("renames in the unsaved text of a document of another project", async () => {
  const editor = await startEditor(files);
  await editor.open(apiPath);
  const shared = await editor.open(sharedPath, `# Not saved.\n${types}`);
  await editor.diagnosticsOf(apiPath);
  const uri = editor.uriOf(sharedPath);
  expect(applyTo(uri, shared.getText(), await rename(editor))).toEqual({
    version: shared.version,
    text: `# Not saved.\n${types.replace("User", "Person")}`,
  });

  // The document changes after the first project has read it.
  const start = { line: 0, character: 0 };
  const changed = await editor.change(sharedPath, [
    { range: { start, end: start }, text: "# More.\n\n" },
  ]);
  expect(applyTo(uri, changed.getText(), await rename(editor))).toEqual({
    version: changed.version,
    text: `# More.\n\n# Not saved.\n${types.replace("User", "Person")}`,
  });

  await editor.close(sharedPath);
  expect(applyTo(uri, types, await rename(editor))).toEqual({
    version: null,
    text: types.replace("User", "Person"),
  });
  expect(editor.logged).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("points to the unsaved text of a document of another project", async () => {
  const editor = await startEditor(files);
  await editor.open(apiPath);
  const text = `# Not saved.\n\n${types}`;
  await editor.open(sharedPath, text);
  const [link] = await findUser(editor);
  expect(link?.targetUri).toBe(editor.uriOf(sharedPath));
  expect(link && textAt(text, link.targetSelectionRange)).toBe("User");
  const references = await editor.connection.sendRequest<Location[]>(
    ReferencesRequest.method,
    { ...atUser(editor), context: { includeDeclaration: true } },
  );
  const shared = references.filter(
    ({ uri }) => uri === editor.uriOf(sharedPath),
  );
  expect(shared.map(({ range }) => textAt(text, range))).toEqual(["User"]);

  // The project of the API finds the clash in the text that is not saved.
  await editor.change(apiPath, [
    { text: `${api}\nstruct User\n  - a: bool\n` },
  ]);
  await expect
    .poll(async () => {
      const found = await editor.diagnosticsOf(apiPath);
      return found.flatMap(({ relatedInformation = [] }) =>
        relatedInformation
          .filter(({ location }) => location.uri === editor.uriOf(sharedPath))
          .map(({ location }) => textAt(text, location.range)),
      );
    })
    .toEqual(["User"]);
  expect(await editor.end()).toBe(0);
});

test("checks a project again if an unsaved document of another one changes", async () => {
  const editor = await startEditor(files);
  await editor.open(apiPath);
  await editor.open(sharedPath);
  expect(await editor.diagnosticsOf(apiPath)).toEqual([]);
  await editor.change(sharedPath, [{ text: types.replace("User", "Other") }]);
  await expect
    .poll(async () => (await editor.diagnosticsOf(apiPath)).map((e) => e.code))
    .toEqual(["unknown-type"]);
  await editor.close(sharedPath);
  await expect.poll(() => editor.diagnosticsOf(apiPath)).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("shows what each project finds in a document that both read", async () => {
  const editor = await startEditor({
    ...files,
    "api/ridl.config.yaml": `${files["api/ridl.config.yaml"]}lint: { rules: { comment-type: error } }\n`,
    "shared/ridl.config.yaml":
      "schema: [types.ridl]\nlint: { rules: { comment-field: error } }\n",
  });
  await editor.open(apiPath);
  await editor.open(sharedPath);
  const codes = async () =>
    (await editor.diagnosticsOf(sharedPath))
      .map(({ code }) => String(code))
      .filter((code) => code.startsWith("comment-"))
      .sort();
  await expect.poll(codes).toEqual(["comment-field", "comment-type"]);
  const commented = types.replace("struct", "# One.\nstruct");
  await editor.change(sharedPath, [{ text: commented }]);
  await expect.poll(codes).toEqual(["comment-field"]);
  expect(await editor.end()).toBe(0);
});

test("recognizes a document whose URI the client escapes differently", async () => {
  const editor = await startEditor({
    "api/ridl.config.yaml": "schema: [api.ridl]\nimportFolders: ['../@acme']\n",
    [apiPath]: api.replace("shared", "@acme"),
    "@acme/types.ridl": types,
  });
  await editor.open(apiPath);
  const uri = editor.uriOf("@acme/types.ridl").replace("@", "%40");
  const text = `# Not saved.\n${types}`;
  await editor.connection.sendNotification(
    DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: "ridl", version: 7, text } },
  );
  expect(applyTo(uri, text, await rename(editor))).toEqual({
    version: 7,
    text: text.replace("User", "Person"),
  });
  await editor.connection.sendNotification(
    DidChangeTextDocumentNotification.type,
    {
      textDocument: { uri, version: 8 },
      contentChanges: [{ text: `\n${text}` }],
    },
  );
  expect(applyTo(uri, `\n${text}`, await rename(editor)).version).toBe(8);
  expect(await editor.end()).toBe(0);
});

const nested = {
  "ridl.config.yaml": "schema: ['schema/*.ridl']\n",
  "schema/api.ridl": api.replace("../shared", "common"),
  "schema/common/types.ridl": types,
};

test("notices changes of closed imports in folders that no pattern names", async () => {
  const editor = await startEditor(nested);
  const path = "schema/api.ridl";
  await editor.open(path);
  expect(await editor.diagnosticsOf(path)).toEqual([]);
  const changed = types.replace("User", "Other");
  editor.sandbox.write({ "schema/common/types.ridl": changed });
  const codes = async () =>
    (await editor.diagnosticsOf(path)).map(({ code }) => code);
  await expect.poll(codes).toEqual(["unknown-type"]);
  // The folder is replaced, and was missing in between.
  editor.sandbox.remove("schema/common");
  await expect.poll(codes).toContain("missing-file");
  editor.sandbox.write({ "schema/common/types.ridl": changed });
  await expect.poll(codes).toEqual(["unknown-type"]);
  editor.sandbox.write({ "schema/common/types.ridl": types });
  await expect.poll(codes).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("logs how to fix a folder that cannot be watched", async () => {
  const sandbox = createSandbox(files);
  const editor = await startEditor(sandbox, (folder) =>
    startHere(folder, () => ({
      watch: () => {
        throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      },
    })),
  );
  await editor.open(apiPath);
  await expect
    .poll(() => editor.logged.join("\n"))
    .toContain("raise `fs.inotify.max_user_watches`");
  expect(await editor.end()).toBe(0);
});

test("reads closed documents again before a rename edits them", async () => {
  const sandbox = createSandbox(files);
  // Changes on disk are not noticed otherwise.
  const editor = await startEditor(sandbox, (folder) =>
    startHere(folder, () => ({ watch: () => () => {} })),
  );
  await editor.open(apiPath);
  expect(await findUser(editor)).toHaveLength(1);
  const changed = `# A pull added this line.\n${types}`;
  sandbox.write({ [sharedPath]: changed });
  const uri = editor.uriOf(sharedPath);
  expect(applyTo(uri, changed, await rename(editor))).toEqual({
    version: null,
    text: changed.replace("User", "Person"),
  });
  sandbox.write({ [sharedPath]: types.replace("string", "strin") });
  await rename(editor);
  await expect
    .poll(() => editor.history.filter((each) => each.uri === uri).at(-1))
    .toMatchObject({ diagnostics: [{ code: "unknown-type" }] });
  expect(await editor.end()).toBe(0);
});

test("refreshes while another program writes all the time", async () => {
  const sandbox = createSandbox(files);
  const node = createNodeSystem({ workingFolder: sandbox.root });
  const system = createEditorProjects(node, undefined);
  let reads = 0;
  const workspace = new EditorWorkspace(
    {
      ...system,
      openProject: (...args) => {
        reads += 1;
        return system.openProject(...args);
      },
    },
    {
      publish: () => {},
      watch: () => {},
      refreshLenses: () => {},
      failed: expect.unreachable,
    },
  );
  onTestFinished(() => workspace.dispose());
  await workspace.addFolder(pathToFileURL(join(sandbox.root, "api")).href);
  const before = reads;
  const timer = setInterval(() => workspace.scheduleRefresh(), 1);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => reads).toBeGreaterThan(before);
});

test("a removed folder keeps no findings of a refresh that still ran", async () => {
  const sandbox = createSandbox({
    "a/ridl.config.yaml": "schema: [a.ridl]\n",
    "a/a.ridl": "nothing",
    "b/ridl.config.yaml": "schema: [b.ridl]\n",
    "b/b.ridl": "nothing",
  });
  const files = createNodeSystem({ workingFolder: sandbox.root });
  const system = createEditorProjects(files, undefined);
  let goOn = (): void => {};
  const opened = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let reads = 0;
  const shown = new Map<string, number>();
  const workspace = new EditorWorkspace(
    {
      ...system,
      openProject: async (...args) => {
        reads += 1;
        if (reads === 2) await opened;
        return system.openProject(...args);
      },
    },
    {
      publish: ({ uri, diagnostics }) => shown.set(uri, diagnostics.length),
      watch: () => {},
      refreshLenses: () => {},
      failed: expect.unreachable,
    },
  );
  onTestFinished(() => workspace.dispose());
  const uriOf = (path: string): string =>
    pathToFileURL(join(sandbox.root, path)).href;
  const closed = uriOf("a/a.ridl");
  await workspace.addFolder(uriOf("a"));
  await expect.poll(() => shown.get(closed)).toBeGreaterThan(0);
  workspace.scheduleRefresh();
  await expect.poll(() => reads).toBe(2);
  workspace.removeFolder(uriOf("a"));
  expect(shown.get(closed)).toBe(0);
  sandbox.write({ "a/a.ridl": "something" });
  goOn();
  await workspace.addFolder(uriOf("b"));
  await expect.poll(() => shown.get(uriOf("b/b.ridl"))).toBeGreaterThan(0);
  expect(shown.get(closed)).toBe(0);
});

test("does not read files while a user types", async () => {
  const sandbox = createSandbox(files);
  const read: string[] = [];
  const editor = await startEditor(sandbox, (folder) =>
    startHere(folder, (system) => ({
      watch: () => () => {},
      readText: (path) => {
        read.push(path);
        return system.readText(path);
      },
    })),
  );
  await editor.open(apiPath);
  // Files in a new folder are read again once the folder is watched.
  const shared = join(sandbox.root, sharedPath);
  await expect
    .poll(() => read.filter((path) => path === shared).length)
    .toBe(2);
  await editor.open(sharedPath);
  expect(await editor.diagnosticsOf(sharedPath)).toEqual([]);
  read.length = 0;
  await editor.change(sharedPath, [{ text: `${types}  - name: string\n` }]);
  expect(await editor.diagnosticsOf(sharedPath)).toEqual([]);
  await editor.change(apiPath, [{ text: `${api}  - name: string\n` }]);
  expect(await editor.diagnosticsOf(apiPath)).toEqual([]);
  expect(read.filter((path) => path.endsWith(".ridl"))).toEqual([]);
  expect(await editor.end()).toBe(0);
});
