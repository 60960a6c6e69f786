import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  CompletionResolveRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
  TypeDefinitionRequest,
  WorkspaceSymbolRequest,
  type LocationLink,
} from "vscode-languageserver-protocol/node";
import { startEditor, type Editor } from "./editor.js";

const config = "schema: ['schema/*.ridl']\n";

const shop = `webrpc = v1
name = shop
version = v1.0.0

import "common.ridl"

# What a shop sells. 😀
struct Item
  - id: ItemId
    + json = item_id
  - name: string

service Shop
  # One item.
  - GetItem(id: ItemId) => (item: Item) errors NotFound
`;

const common = `webrpc = v1
name = common
version = v1.0.0

# The number of an item.
type ItemId: uint64

error 1404 NotFound "Not found" HTTP 404

error 1410 Gone "Gone" HTTP 410
`;

const files = {
  "ridl.config.yaml": config,
  "schema/shop.ridl": shop,
  "schema/common.ridl": common,
};

const shopPath = "schema/shop.ridl";
const commonPath = "schema/common.ridl";

test("finds the declaration of a generated name at a client's request", async () => {
  const editor = await startEditor({
    ...files,
    "ridl.config.yaml": `${config}out: src/generated\n`,
  });
  const { exitCode } = await editor.sandbox.run(["generate"]);
  expect(exitCode).toBe(0);
  const find = (path: string, name: string, line: RegExp) => {
    const text = editor.sandbox.read(path);
    const lines = text.split("\n");
    const index = lines.findIndex((each) => line.test(each));
    const character = lines[index]?.indexOf(name) ?? -1;
    const position = { line: index, character };
    const textDocument = { uri: editor.uriOf(path) };
    const params = { textDocument, position, text };
    return editor.connection.sendRequest<LocationLink | null>(
      "ridl/findOrigin",
      params,
    );
  };
  for (const [path, name, line, target, found] of [
    ["client", "getItem", /readonly getItem/u, shopPath, "GetItem"],
    ["client", "shopGetItem", /const shopGetItem/u, shopPath, "GetItem"],
    ["client", "ShopClient", /interface ShopClient/u, shopPath, "Shop"],
    [
      "types",
      "GetItemRequest",
      /interface GetItemRequest/u,
      shopPath,
      "GetItem",
    ],
    ["types", "item_id", /item_id/u, shopPath, "id"],
    ["types", "ItemId", /type ItemId/u, commonPath, "ItemId"],
    ["errors", "NotFoundError", /class NotFoundError/u, commonPath, "NotFound"],
    ["server", "getItem", /^ {2}getItem\(/u, shopPath, "GetItem"],
  ] as const) {
    const link = await find(`src/generated/${path}.ts`, name, line);
    expect(link?.targetUri, name).toBe(editor.uriOf(target));
    const { start, end } = link?.targetSelectionRange ?? expect.unreachable();
    const declared = editor.sandbox.read(target).split("\n")[start.line];
    expect(declared?.slice(start.character, end.character)).toBe(found);
  }
  const client = "src/generated/client.ts";
  expect(await find(client, "return", /return/u)).toBe(null);
  expect(await find("ridl.config.yaml", "schema", /schema/u)).toBe(null);
  await editor.open(shopPath, shop.replace("ItemId", "Missing"));
  expect(await find(client, "getItem", /readonly getItem/u)).toBe(null);
  expect(await editor.end()).toBe(0);
});

test("publishes errors in an open document before errors in the whole contract", async () => {
  const clash =
    "webrpc = v1\nname = one\nversion = v1.0.0\nstruct A\n  - id: Nope\n";
  const editor = await startEditor({
    "shop/ridl.config.yaml": config,
    "shop/schema/a.ridl": clash,
    "shop/schema/b.ridl": clash.replace("one", "two"),
  });
  await editor.open("shop/schema/b.ridl");
  await editor.diagnosticsOf("shop/schema/b.ridl");
  const codes = editor.history
    .filter(({ uri }) => uri === editor.uriOf("shop/schema/b.ridl"))
    .map(({ diagnostics }) => diagnostics.map(({ code }) => code));
  expect(codes).toEqual([["unknown-type"], ["duplicate-type", "unknown-type"]]);
});

test("returns only the best of many completions", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `Item${index}`);
  const structs = names.map((name) => `struct Sub${name}\n  - id: string\n`);
  const text = `webrpc = v1\nname = shop\nversion = v1.0.0\n${structs.join("")}struct Box\n  - one: SubItem14\n  - two: B\n`;
  const editor = await startEditor({ "shop.ridl": text });
  await editor.open("shop.ridl");
  const complete = async (before: string) => {
    const list = await editor.connection.sendRequest(CompletionRequest.type, {
      textDocument: { uri: editor.uriOf("shop.ridl") },
      position: editor.positionOf("shop.ridl", before, before.length),
    });
    return list && "items" in list ? list : expect.unreachable();
  };
  const many = await complete("two: B");
  expect(many.isIncomplete).toBe(true);
  expect(many.items).toHaveLength(100);
  // The letter occurs in 150 other structs.
  expect(many.items[0]?.label).toBe("Box");
  const few = await complete("one: SubItem14");
  expect(few).toMatchObject({ isIncomplete: false });
  expect(few.items.map(({ label }) => label)).toContain("SubItem14");
});

describe("a client", () => {
  let editor: Editor;
  beforeEach(async () => {
    editor = await startEditor(files);
    await editor.open(shopPath);
  });
  afterEach(async () => {
    expect(editor.logged).toEqual([]);
    expect(await editor.end()).toBe(0);
  });

  const at = (text: string, behind = 1) => ({
    textDocument: { uri: editor.uriOf(shopPath) },
    position: editor.positionOf(shopPath, text, behind),
  });
  const whole = () => ({
    textDocument: { uri: editor.uriOf(shopPath) },
    range: {
      start: { line: 0, character: 0 },
      end: { line: 99, character: 0 },
    },
  });

  test("receives the server's capabilities, and responses to hover and navigation requests", async () => {
    const { connection } = editor;
    const { capabilities } = editor.initialized;
    expect(Object.keys(capabilities).sort()).toMatchInlineSnapshot(`
      [
        "codeActionProvider",
        "codeLensProvider",
        "completionProvider",
        "definitionProvider",
        "documentFormattingProvider",
        "documentHighlightProvider",
        "documentLinkProvider",
        "documentRangeFormattingProvider",
        "documentSymbolProvider",
        "foldingRangeProvider",
        "hoverProvider",
        "inlayHintProvider",
        "positionEncoding",
        "referencesProvider",
        "renameProvider",
        "selectionRangeProvider",
        "semanticTokensProvider",
        "signatureHelpProvider",
        "textDocumentSync",
        "typeDefinitionProvider",
        "workspace",
        "workspaceSymbolProvider",
      ]
    `);

    expect(
      await connection.sendRequest(HoverRequest.type, at("ItemId")),
    ).toEqual({
      contents: {
        kind: "markdown",
        value: expect.stringContaining("The number of an item."),
      },
      range: expect.anything(),
    });
    const target = {
      targetUri: editor.uriOf(commonPath),
      targetSelectionRange: {
        start: { line: 5, character: 5 },
        end: { line: 5, character: 11 },
      },
    };
    expect(
      await connection.sendRequest(DefinitionRequest.type, at("ItemId")),
    ).toMatchObject([target]);
    expect(
      await connection.sendRequest(
        TypeDefinitionRequest.type,
        at("id: ItemId"),
      ),
    ).toMatchObject([target]);
    expect(
      await connection.sendRequest(ReferencesRequest.type, {
        ...at("ItemId"),
        context: { includeDeclaration: true },
      }),
    ).toHaveLength(3);
    expect(
      await connection.sendRequest(DocumentHighlightRequest.type, at("ItemId")),
    ).toHaveLength(2);
    expect(
      await connection.sendRequest(DocumentLinkRequest.type, whole()),
    ).toMatchObject([{ target: editor.uriOf(commonPath) }]);
  });

  test("receives symbols, tokens, folding ranges, and selection ranges", async () => {
    const { connection } = editor;
    const symbols = await connection.sendRequest(
      DocumentSymbolRequest.type,
      whole(),
    );
    expect(symbols).toMatchObject([
      { name: "Item", children: [{ name: "id" }, { name: "name" }] },
      { name: "Shop", children: [{ name: "GetItem" }] },
    ]);
    expect(
      await connection.sendRequest(WorkspaceSymbolRequest.type, {
        query: "itemid",
      }),
    ).toMatchObject([
      { name: "ItemId", location: { uri: editor.uriOf(commonPath) } },
    ]);
    const tokens = await connection.sendRequest(
      SemanticTokensRequest.type,
      whole(),
    );
    const part = await connection.sendRequest(SemanticTokensRangeRequest.type, {
      ...whole(),
      range: {
        start: { line: 7, character: 0 },
        end: { line: 8, character: 0 },
      },
    });
    expect(tokens?.data.length).toBeGreaterThan(part?.data.length ?? 0);
    expect(part?.data.slice(0, 1)).toEqual([7]);
    const folds = await connection.sendRequest(
      FoldingRangeRequest.type,
      whole(),
    );
    expect(folds).toContainEqual({ startLine: 7, endLine: 10 });
    expect(
      await connection.sendRequest(SelectionRangeRequest.type, {
        ...whole(),
        positions: [at("ItemId").position],
      }),
    ).toMatchObject([
      { range: { start: { line: 8 } }, parent: { range: expect.anything() } },
    ]);
  });

  test("receives hints, lenses, completions, and signatures", async () => {
    const { connection } = editor;
    expect(
      await connection.sendRequest(InlayHintRequest.type, whole()),
    ).toContainEqual(
      expect.objectContaining({ label: expect.stringContaining("item_id") }),
    );
    await editor.open(commonPath);
    expect(
      await connection.sendRequest(CodeLensRequest.type, {
        textDocument: { uri: editor.uriOf(commonPath) },
      }),
    ).toMatchObject([
      { command: { title: "2 references", command: "ridl.showPlaces" } },
      { command: { title: "1 reference", command: "ridl.showPlaces" } },
      // There is nothing to show.
      { command: { title: "0 references", command: "" } },
    ]);
    const lenses = await connection.sendRequest(CodeLensRequest.type, whole());
    expect(lenses).toContainEqual(
      expect.objectContaining({
        command: expect.objectContaining({
          command: "ridl.showPlaces",
          title: expect.stringContaining("1"),
        }),
      }),
    );
    const list = await connection.sendRequest(
      CompletionRequest.type,
      at("id: ItemId", 6),
    );
    const items = list && "items" in list ? list.items : [];
    const item = items.find(({ label }) => label === "ItemId");
    expect(item).toBeDefined();
    expect(item).not.toHaveProperty("documentation");
    const types = items.map(({ label, sortText = "" }) => ({
      label,
      sortText,
    }));
    types.sort((a, b) => (a.sortText < b.sortText ? -1 : 1));
    expect(types.slice(0, 4).map(({ label }) => label)).toEqual([
      ...["Item", "ItemId", "any", "bigint"],
    ]);
    expect(
      item &&
        (await connection.sendRequest(CompletionResolveRequest.type, item)),
    ).toMatchObject({
      documentation: {
        value: expect.stringContaining("The number of an item."),
      },
    });
    expect(
      await connection.sendRequest(SignatureHelpRequest.type, at("(id", 1)),
    ).toMatchObject({
      signatures: [{ label: expect.stringContaining("GetItem") }],
    });
  });

  test("receives edits", async () => {
    const { connection } = editor;
    expect(
      await connection.sendRequest(PrepareRenameRequest.type, at("ItemId")),
    ).toMatchObject({ placeholder: "ItemId" });
    const renamed = await connection.sendRequest(RenameRequest.type, {
      ...at("ItemId"),
      newName: "ItemNumber",
    });
    expect(
      renamed?.documentChanges?.map((each) =>
        "edits" in each ? [each.textDocument, each.edits.length] : each,
      ),
    ).toEqual(
      expect.arrayContaining([
        [{ uri: editor.uriOf(shopPath), version: 1 }, 2],
        [{ uri: editor.uriOf(commonPath), version: null }, 1],
      ]),
    );
    await expect(
      connection.sendRequest(RenameRequest.type, {
        ...at("ItemId"),
        newName: "Item",
      }),
    ).rejects.toThrow(/Item/u);
    await editor.change(shopPath, [
      { text: shop.replace("- name: string", "- name  :string") },
    ]);
    const options = { tabSize: 2, insertSpaces: true };
    const formatted = await connection.sendRequest(
      DocumentFormattingRequest.type,
      { ...whole(), options },
    );
    expect(formatted).not.toEqual([]);
    expect(
      await connection.sendRequest(DocumentRangeFormattingRequest.type, {
        ...whole(),
        options,
        range: {
          start: { line: 0, character: 0 },
          end: { line: 1, character: 0 },
        },
      }),
    ).toEqual([]);
  });

  test("receives diagnostics with their fixes during typing", async () => {
    const { connection } = editor;
    expect(await editor.diagnosticsOf(shopPath)).toEqual([]);
    await editor.change(shopPath, [
      {
        range: {
          start: { line: 8, character: 8 },
          end: { line: 8, character: 14 },
        },
        text: "ItemIdd",
      },
    ]);
    const diagnostics = await editor.diagnosticsOf(shopPath);
    expect(diagnostics).toMatchObject([
      {
        code: "unknown-type",
        severity: 1,
        source: "ridl",
        range: {
          start: { line: 8, character: 8 },
          end: { line: 8, character: 15 },
        },
      },
    ]);
    const actions = await connection.sendRequest(CodeActionRequest.type, {
      ...whole(),
      context: { diagnostics: [...diagnostics], only: ["quickfix"] },
    });
    expect(actions).toContainEqual(
      expect.objectContaining({
        kind: "quickfix",
        diagnostics,
        edit: { documentChanges: [expect.anything()] },
      }),
    );
    expect(actions?.map(({ title }) => title)).toContain("Write `ItemId`");
    const organized = await connection.sendRequest(CodeActionRequest.type, {
      ...whole(),
      context: { diagnostics: [], only: ["source.organizeImports"] },
    });
    for (const action of organized ?? []) {
      expect(action).toMatchObject({ kind: "source.organizeImports" });
    }
  });
});
