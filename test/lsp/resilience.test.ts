import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  CodeLensRequest,
  ErrorCodes,
  ExitNotification,
  InitializeRequest,
  ShutdownRequest,
  DefinitionRequest,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentSymbolRequest,
  HoverRequest,
  LSPErrorCodes,
} from "vscode-languageserver-protocol/node";
import { commit, makeRepository } from "../cli/support/repository.js";
import { connect, startEditor, startHere } from "./editor.js";

const files = {
  "ridl.config.yaml": "schema: [a.ridl]\n",
  "a.ridl": "webrpc = v1\n\nstruct A\n  - a: B\n",
};

test("checks documents again after they change on disk", async () => {
  const editor = await startEditor({
    ...files,
    "a.ridl": 'webrpc = v1\n\nimport "b.ridl"\n\nstruct A\n  - a: B\n',
    "b.ridl": "webrpc = v1\n\nstruct B\n  - b: string\n",
  });
  await editor.open("a.ridl");
  expect(await editor.diagnosticsOf("a.ridl")).toEqual([]);
  editor.sandbox.write({
    "b.ridl": "webrpc = v1\n\nstruct C\n  - b: string\n",
  });
  await expect
    .poll(async () => (await editor.diagnosticsOf("a.ridl")).map(codeOf))
    .toContain("unknown-type");
  editor.sandbox.write({
    "b.ridl": "webrpc = v1\n\nstruct B\n  - b: string\n",
  });
  await expect.poll(() => editor.diagnosticsOf("a.ridl")).toEqual([]);
  await editor.end();
});

test("compares documents with the main branch, even after it has changed", async () => {
  const shop = (field: string) =>
    `webrpc = v1\nname = shop\nversion = v1\n\nstruct A\n  - ${field}: string\n\nservice S\n  - M() => (A)\n`;
  const editor = await startEditor({ ...files, "a.ridl": shop("a") });
  const { sandbox } = editor;
  makeRepository(sandbox);
  const titles = async () => {
    const textDocument = { uri: editor.uriOf("a.ridl") };
    const lenses = await editor.connection.sendRequest(CodeLensRequest.type, {
      textDocument,
    });
    return lenses?.map(({ command }) => command?.title).sort();
  };
  await editor.open("a.ridl", shop("b"));
  await expect
    .poll(titles)
    .toContain("breaks: `A.a` was removed from responses");
  sandbox.write({ "a.ridl": shop("b") });
  commit(sandbox);
  sandbox.write({ "new.ridl": "webrpc = v1\n" });
  await expect.poll(titles).toEqual(["1 reference"]);
  await editor.end();
});

test("reports why a document is unreadable until it becomes readable", async () => {
  const imported = "webrpc = v1\n\nstruct B # \u00e9\n  - b: string\n";
  const editor = await startEditor({
    "ridl.config.yaml": "schema: [a.ridl, c.ridl]\n",
    "a.ridl": 'webrpc = v1\n\nimport "b.ridl"\n\nstruct A\n  - a: B\n',
  });
  const path = join(editor.sandbox.root, "b.ridl");
  writeFileSync(path, imported, "latin1");
  writeFileSync(join(editor.sandbox.root, "c.ridl"), "# \u00e9", "latin1");
  await editor.open("a.ridl");
  await expect
    .poll(() => editor.diagnosticsOf("a.ridl"))
    .toMatchObject([
      {
        code: "file-access",
        message: expect.stringContaining(
          "imported file `b.ridl` cannot be read: it is not UTF-8 text",
        ),
        range: { start: { line: 2, character: 7 } },
      },
    ]);
  const [found] = await poll(() => editor.diagnosticsOf("c.ridl"));
  expect(found?.message).toBe("`c.ridl` cannot be read: it is not UTF-8 text");
  rmSync(path);
  await expect
    .poll(async () => (await editor.diagnosticsOf("a.ridl")).map(codeOf))
    .toContain("missing-file");
  editor.sandbox.write({ "b.ridl": imported, "c.ridl": "webrpc = v1\n" });
  await expect.poll(() => editor.diagnosticsOf("a.ridl")).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("follows the configuration, whether or not it is saved", async () => {
  const editor = await startEditor({
    ...files,
    "ridl.config.yaml": "schema: [a.ridl]\nlint: { noSuchSetting: 1 }\n",
  });
  const config = "ridl.config.yaml";
  const [found] = await poll(() => editor.diagnosticsOf(config));
  expect(found?.code).toBe("unknown-config-key");
  await editor.open(config, "schema: [a.ridl]\n");
  await expect.poll(() => editor.diagnosticsOf(config)).toEqual([]);
  await editor.change(config, [{ text: "schema: [a.ridl\n" }]);
  await expect
    .poll(async () => (await editor.diagnosticsOf(config)).map(codeOf))
    .toContain("config-syntax");
  await editor.close(config);
  editor.sandbox.write({ [config]: "schema: [none/*.ridl]\n" });
  await expect
    .poll(async () => (await editor.diagnosticsOf(config)).map(codeOf))
    .toEqual(["no-documents"]);
  await editor.end();
});

test("checks documents in a folder without a configuration", async () => {
  const editor = await startEditor({ "a.ridl": files["a.ridl"] });
  await editor.open("a.ridl");
  const codes = (await editor.diagnosticsOf("a.ridl")).map(codeOf);
  expect(codes).toContain("unknown-type");
  await editor.close("a.ridl");
  await expect.poll(() => editor.diagnosticsOf("a.ridl")).toEqual([]);
  await editor.end();
});

test("checks unsaved documents", async () => {
  const editor = await startEditor(files);
  const uri = "untitled:Untitled-1";
  const text = files["a.ridl"];
  const { connection } = editor;
  const open = (languageId: string) =>
    connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version: 1, text },
    });
  await open("ridl");
  const codes = (await editor.diagnosticsAt(uri, 1)).map(codeOf);
  expect(codes).toContain("unknown-type");
  const textDocument = { uri };
  expect(
    await connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
  ).toMatchObject([{ name: "A" }]);
  await connection.sendNotification(DidCloseTextDocumentNotification.type, {
    textDocument,
  });
  await expect.poll(() => editor.diagnosticsAt(uri)).toEqual([]);
  await open("plaintext");
  expect(
    await connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
  ).toBe(null);
  expect(editor.logged).toEqual([]);
  await editor.end();
});

test("uses the nearest configuration of a workspace", async () => {
  const editor = await startEditor({
    ...files,
    "b/ridl.config.yaml": "schema: [b.ridl]\n",
    "b/b.ridl": "webrpc = v1\nname = b\nversion = v1\n\nstruct A\n  - a: C\n",
  });
  await editor.open("b/b.ridl");
  const [found] = (await editor.diagnosticsOf("b/b.ridl")).filter(
    ({ code }) => code === "unknown-type",
  );
  expect(found?.message).toContain("`C`");
  const folder = { uri: editor.uriOf("b"), name: "b" };
  for (const event of [
    { added: [folder], removed: [] },
    { added: [], removed: [folder] },
  ]) {
    await editor.connection.sendNotification(
      DidChangeWorkspaceFoldersNotification.type,
      { event },
    );
  }
  expect(await editor.end()).toBe(0);
});

test("counts UTF-16 units, and every kind of line break", async () => {
  const text = "webrpc = v1\r\n# 😀\rstruct A # 😀\r\n  - a: 😀\n";
  const editor = await startEditor(files);
  await editor.open("a.ridl", text);
  const [outside] = await editor.diagnosticsOf("a.ridl");
  expect(outside?.range.start).toEqual({ line: 3, character: 2 });
  await editor.open("c.ridl", 'webrpc = v1\nerror 1 A "😀" HTTP 999\n');
  const [status] = await editor.diagnosticsOf("c.ridl");
  expect(status?.range.start).toEqual({ line: 1, character: 20 });
  await editor.end();
});

test("answers invalid requests with an error or an empty result", async () => {
  const editor = await startEditor(files);
  await editor.open("a.ridl");
  const uri = editor.uriOf("a.ridl");
  const send = (method: string, params: object) =>
    editor.connection.sendRequest(method, params).catch(() => "refused");
  for (const method of ["hover", "definition", "rename", "codeAction"]) {
    for (const params of [
      {},
      { textDocument: null },
      { textDocument: { uri } },
      { textDocument: { uri }, position: null },
      { textDocument: { uri }, position: { line: "1" } },
      { textDocument: { uri }, range: { start: {}, end: null } },
    ]) {
      await send(`textDocument/${method}`, params);
    }
  }
  const nowhere = { line: 1e9, character: -5 };
  for (const each of [uri, "untitled:Untitled-1", "file://host/a", "%"]) {
    const answer = await send(HoverRequest.method, {
      textDocument: { uri: each },
      position: nowhere,
    });
    expect(answer).toBe(null);
  }
  const notify = (method: string, params: object) =>
    editor.connection.sendNotification(method, params);
  await notify("textDocument/didOpen", { textDocument: { uri } });
  await notify("textDocument/didOpen", {});
  await notify("textDocument/didChange", { textDocument: { uri } });
  await notify("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: nowhere, end: nowhere }, text: "\n#" }],
  });
  await notify("textDocument/didClose", {});
  await notify("workspace/didChangeWatchedFiles", { changes: "all" });
  await notify("no/such", { a: 1 });
  expect(await send("no/such", {})).toBe("refused");
  const symbols = await editor.connection.sendRequest(
    DocumentSymbolRequest.type,
    { textDocument: { uri } },
  );
  expect(symbols).toMatchObject([{ name: "A" }]);
  expect(await editor.end()).toBe(0);
});

test.each([
  {},
  { capabilities: null },
  { capabilities: {}, processId: "1" },
  { capabilities: {}, rootUri: 1 },
  { capabilities: {}, workspaceFolders: [{}] },
  { capabilities: {}, workspaceFolders: "all" },
])(
  "refuses to initialize with %j, and accepts another attempt",
  async (params) => {
    const run = startHere("/");
    const connection = connect(run);
    await expect(
      connection.sendRequest(InitializeRequest.method, params),
    ).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
    const valid = { capabilities: {}, processId: null, rootUri: null };
    expect(
      await connection.sendRequest(InitializeRequest.method, valid),
    ).toHaveProperty("capabilities");
    await connection.sendRequest(ShutdownRequest.type);
    await connection.sendNotification(ExitNotification.type);
    expect(await run.done).toBe(0);
  },
);

test.each([
  "textDocument/codeAction",
  "textDocument/completion",
  "textDocument/definition",
  "textDocument/documentHighlight",
  "textDocument/hover",
  "textDocument/inlayHint",
  "textDocument/prepareRename",
  "textDocument/references",
  "textDocument/rename",
  "textDocument/selectionRange",
  "textDocument/semanticTokens/range",
  "textDocument/signatureHelp",
  "textDocument/typeDefinition",
])(
  "answers %s without a place with an invalid-parameters error",
  async (method) => {
    const editor = await startEditor(files);
    await editor.open("a.ridl");
    const textDocument = { uri: editor.uriOf("a.ridl") };
    await expect(
      editor.connection.sendRequest(method, { textDocument }),
    ).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
    expect(await editor.end()).toBe(0);
  },
);

test.each([
  ["textDocument/hover", {}],
  ["textDocument/hover", { textDocument: { uri: 1 } }],
  ["textDocument/hover", { position: { line: "1", character: 0 } }],
  ["textDocument/inlayHint", { range: { start: {}, end: null } }],
  ["workspace/symbol", { query: null }],
])(
  "answers %s for %j with an invalid-parameters error",
  async (method, params) => {
    const editor = await startEditor(files);
    await editor.open("a.ridl");
    const textDocument = { uri: editor.uriOf("a.ridl") };
    const isPlace = Object.keys(params).some((key) =>
      /^(?:pos|ran)/u.test(key),
    );
    await expect(
      editor.connection.sendRequest(method, {
        ...(isPlace && { textDocument }),
        ...params,
      }),
    ).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
    expect(await editor.end()).toBe(0);
  },
);

test.each([
  "hello\r\n\r\n",
  "hello",
  "Content-Length: abc\r\n\r\n{}",
  "Content-Length: -5\r\n\r\n{}",
  "Content-Length: 99999999999999999999\r\n\r\n{}",
  'Content-Length: 1000\r\n\r\n{"jsonrpc":"2.0"}',
  'Content-Length: 9\r\n\r\n{"jsonrpc":"2.0"}',
  "Content-Length: 5\r\n\r\n{]{]{",
  "Content-Length: 4\r\n\r\nnull",
  "Content-Length: 2\r\n\r\n[]",
  'Content-Length: 17\r\n\r\n{"jsonrpc":"2.0"}',
])("continues after %j", async (bytes) => {
  const editor = await startEditor(files);
  await editor.open("a.ridl");
  editor.input.write(bytes);
  const textDocument = { uri: editor.uriOf("a.ridl") };
  expect(
    await editor.connection.sendRequest(DocumentSymbolRequest.type, {
      textDocument,
    }),
  ).toMatchObject([{ name: "A" }]);
  expect(editor.logged).not.toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("reads messages in chunks of any size", async () => {
  const editor = await startEditor(files);
  await editor.open("a.ridl");
  const params = { textDocument: { uri: editor.uriOf("a.ridl") } };
  const request = { id: "split 😀", method: "textDocument/documentSymbol" };
  const content = JSON.stringify({ jsonrpc: "2.0", ...request, params });
  const bytes = Buffer.from(
    `Content-Length: ${Buffer.byteLength(content)}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${content}`,
  );
  let received = "";
  editor.output.on("data", (chunk) => {
    received += String(chunk);
  });
  for (const byte of bytes) editor.input.write(Uint8Array.of(byte));
  await expect.poll(() => received).toContain('"id":"split 😀"');
  expect(editor.logged).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test("does not start canceled requests", async () => {
  const editor = await startEditor(files);
  await editor.open("a.ridl");
  const params = {
    textDocument: { uri: editor.uriOf("a.ridl") },
    position: { line: 3, character: 8 },
  };
  let received = "";
  editor.output.on("data", (chunk) => {
    received += String(chunk);
  });
  // Write them together so that the server reads the request along with its
  // cancellation.
  const request = { id: "late", method: DefinitionRequest.method, params };
  const cancel = { method: "$/cancelRequest", params: { id: "late" } };
  editor.input.write(frame(request) + frame(cancel));
  await expect.poll(() => received).toContain('"id":"late"');
  expect(received).toContain(String(LSPErrorCodes.RequestCancelled));
  expect(received).not.toContain('"result"');
  expect(await editor.end()).toBe(0);
});

test("ends without an error if the input ends right after the exit notification", async () => {
  const editor = await startEditor(files, startHere);
  await editor.open("a.ridl");
  const shutdown = { id: "last", method: "shutdown" };
  editor.input.end(frame(shutdown) + frame({ method: "exit" }));
  expect(await editor.done).toBe(0);
});

test("ends with an error code if the editor disappears without a shutdown", async () => {
  const editor = await startEditor(files, startHere);
  await editor.open("a.ridl");
  editor.input.end();
  expect(await editor.done).toBe(1);
});

/** Prints a message of ASCII characters with its header. */
function frame(message: object): string {
  const content = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${content.length}\r\n\r\n${content}`;
}

function codeOf({ code }: { readonly code?: unknown }): unknown {
  return code;
}

async function poll<Item>(
  read: () => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  await expect.poll(async () => (await read()).length).toBeGreaterThan(0);
  return read();
}
