import { expect, test } from "vitest";
import {
  CancellationTokenSource,
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
  type Diagnostic,
} from "vscode-languageserver-protocol/node";
import { isSample } from "../support/draw-some.js";
import { Random } from "../support/random.js";
import { startEditor, type Editor } from "./editor.js";

const steps = isSample ? 3_000 : 10_000;
const compareInterval = 500;
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);

const files = {
  "ridl.config.yaml": "schema: ['*.ridl']\n",
  "shop.ridl": `webrpc = v1
name = shop
version = v1.0.0

import "common.ridl"

# What a shop sells. 😀
struct Item
  - id: ItemId
    + json = item_id
  - tags?: []string
  - prices: map<string,Amount>

service Shop
  # One item.
  @readonly
  - GetItem(id: ItemId) => (item: Item) errors NotFound
  - Watch(Item) => stream (Item)
`,
  "common.ridl": `webrpc = v1

# The number of an item.
type ItemId: uint64

type Amount: string
  + pattern = "^[0-9]+$"

error 1404 NotFound "Not found" HTTP 404
`,
  "other.ridl": `webrpc = v1
name = other
version = v1.0.0

import "common.ridl"
  - Amount

enum Kind: string
  - First
  - Second = other

struct Other
  - kind: Kind
  - amount: Amount

service Other
  - Get(kind: Kind) => (other: Other)
`,
};
const paths = ["shop.ridl", "common.ridl", "other.ridl"] as const;

const snippets = [
  "\n",
  "\r\n",
  " ",
  "# a",
  '"',
  "(",
  ")",
  "<",
  "[]",
  "@",
  ":",
  "😀",
  "\ud83d",
  "\0",
  "- a: Item\n",
  "struct A\n  - a: B\n",
  "struct B\n  - b: A\n",
  'import "common.ridl"\n',
  'import "other.ridl"\n',
  "errors NotFound | ",
  "+ maximum = 3\n",
  "type X: map<string,[]X>\n",
  "service Shop\n",
  "Amount",
  "stream ",
  "x".repeat(300),
] as const;

test(`after ${steps} random edits, the server has the same state as a new one, seed ${seed}`, async () => {
  const random = new Random(seed);
  const editor = await startEditor(files);
  for (const path of paths) await editor.open(path);
  const waiting: Promise<unknown>[] = [];
  for (let step = 1; step <= steps; step++) {
    const path = random.oneOf(paths);
    if (random.chance(0.02)) await reopen(editor, path);
    else if (random.chance(0.3)) waiting.push(ask(editor, path, random));
    else await edit(editor, path, random);
    if (step % 50 === 0) await Promise.all(waiting.splice(0));
    if (step % compareInterval !== 0) continue;
    expect(await stateOf(editor), `step ${step}`).toEqual(
      await freshStateOf(editor),
    );
    // Restore the texts. Otherwise, almost every edit would hit a broken
    // document.
    for (const each of paths) {
      await editor.change(each, [{ text: files[each] }]);
    }
  }
  const crashes = editor.logged.filter((message) =>
    message.includes("    at "),
  );
  expect(crashes).toEqual([]);
  expect(await editor.end()).toBe(0);
});

/** Closes a document and reopens it with the same text. */
async function reopen(editor: Editor, path: string): Promise<void> {
  const text = editor.textOf(path);
  await editor.close(path);
  await editor.open(path, text);
}

async function edit(
  editor: Editor,
  path: string,
  random: Random,
): Promise<void> {
  const text = editor.textOf(path);
  const lines = text.split("\n");
  const place = () => {
    const line = random.below(lines.length);
    const character = random.below((lines[line] ?? "").length + 1);
    return { line, character };
  };
  const start = place();
  const end = random.chance(0.7)
    ? start
    : { ...start, character: start.character + random.below(12) };
  await editor.change(path, [
    { range: { start, end }, text: random.oneOf(snippets) },
  ]);
}

/** Sends a request, and cancels every fifth one on average. */
async function ask(
  { connection, uriOf }: Editor,
  path: string,
  random: Random,
): Promise<unknown> {
  const textDocument = { uri: uriOf(path) };
  const position = { line: random.below(25), character: random.below(40) };
  const range = { start: { line: 0, character: 0 }, end: position };
  const context = { includeDeclaration: true, diagnostics: [] };
  const options = { tabSize: 2, insertSpaces: true };
  const all = { textDocument, position, range, context, options };
  const { method } = random.oneOf([
    CodeActionRequest,
    CodeLensRequest,
    CompletionRequest,
    DefinitionRequest,
    DocumentFormattingRequest,
    FoldingRangeRequest,
    HoverRequest,
    InlayHintRequest,
    ReferencesRequest,
    RenameRequest,
    SelectionRangeRequest,
    SignatureHelpRequest,
  ]);
  const source = new CancellationTokenSource();
  const answer = connection.sendRequest(
    method,
    { ...all, positions: [position], newName: "Renamed" },
    source.token,
  );
  if (random.chance(0.2)) source.cancel();
  return answer.catch((error: Error) => {
    // The server may reject a rename, and a request may be canceled. Nothing
    // else may fail.
    expect(error.message).not.toContain(" failed: ");
  });
}

interface State {
  readonly diagnostics: readonly Diagnostic[];
  readonly symbols: unknown;
  readonly tokens: unknown;
}

async function stateOf(editor: Editor): Promise<Record<string, State>> {
  // A document's diagnostics can change again when those of another document
  // are published.
  for (const path of paths) await editor.diagnosticsOf(path);
  const states: Record<string, State> = {};
  for (const path of paths) {
    const textDocument = { uri: editor.uriOf(path) };
    const [symbols, tokens] = await Promise.all([
      editor.connection.sendRequest(DocumentSymbolRequest.type, {
        textDocument,
      }),
      editor.connection.sendRequest(SemanticTokensRequest.type, {
        textDocument,
      }),
    ]);
    const diagnostics = await editor.diagnosticsOf(path);
    const state = JSON.stringify({ diagnostics, symbols, tokens });
    states[path] = JSON.parse(state.replaceAll(editor.uriOf(""), ""));
  }
  return states;
}

/** Returns the state of a new server that opens the current texts. */
async function freshStateOf(editor: Editor): Promise<Record<string, State>> {
  const fresh = await startEditor(files);
  for (const path of paths) await fresh.open(path, editor.textOf(path));
  const state = await stateOf(fresh);
  await fresh.end();
  return state;
}
