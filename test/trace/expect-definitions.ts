import { join, relative } from "node:path";
import { expect } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import type { FindDefinitions } from "./editor-definitions.js";

const files = {
  "ridl.config.yaml": `schema: [shop.ridl, stock.ridl]
language: javascript
declarationMaps: true
`,
  "common.ridl": `webrpc = v1

error 1000 NotFound "not found" HTTP 404

# A book. 😀
struct Book
  - isbn: string
    + json = isbn_no
  - cover: Cover

enum Cover: uint32
  - PAPER
`,
  "shop.ridl": `webrpc = v1
name = shop
version = v1

import "common.ridl"

service Books
  - GetBook(isbn: string) => (book: Book) errors NotFound
`,
  "stock.ridl": `webrpc = v1
name = stock
version = v1

import "common.ridl"

service Stock
  - Count(book: Book) => (count: uint32)
`,
  "app.ts": `import { type Book, Cover, createBooksClient, createPlatformClient, type GetBookRequest, NotFoundError } from "books-client";

const client = createPlatformClient({ hosts: { shop: "", stock: "" } });
const request: GetBookRequest = { isbn: "1" };
const book: Book = (await client.books.getBook(request)).book;
const { count } = await client.stock.count({ book });
export const all = [count, book.isbn_no, Cover.PAPER, NotFoundError, createBooksClient, client.books.getBook];
`,
};

/** A name to look up, and the document and line of its declaration. */
const expected: readonly (readonly [string, document: string, line: string])[] =
  [
    ["getBook(", "shop", "  - GetBook("],
    ["GetBookRequest =", "shop", "  - GetBook("],
    ["isbn: ", "shop", "  - GetBook(isbn: string)"],
    ["stock.count", "stock", "service Stock"],
    ["count({", "stock", "  - Count("],
    ["Book = ", "common", "struct Book"],
    ["isbn_no", "common", "  - isbn: string"],
    ["Cover.", "common", "enum Cover"],
    ["PAPER", "common", "  - PAPER"],
    ["NotFoundError,", "common", "error 1000 NotFound"],
    ["createBooksClient,", "shop", "service Books"],
  ];

/** A client and the locations of its declarations. */
export interface Client {
  /** The command that creates the client. */
  readonly args: readonly string[];
  /** The imported module. */
  readonly specifier: string;
  /** Returns the path of a document by its name. */
  pathOf(document: string): string;
}

const out = "node_modules/books-client";

/** A package in which each document contains its imports. */
export const packaged: Client = {
  args: ["package", "--out", out, "--name", "books-client"],
  specifier: "books-client",
  pathOf: (document) =>
    `${out}/schema/${document === "common" ? "shop" : document}.ridl`,
};

/** Generated code next to the documents. */
export const generated: Client = {
  args: ["generate"],
  specifier: "./generated/index.js",
  pathOf: (document) => `${document}.ridl`,
};

/** Creates a project with the client. */
export async function createProject(client: Client): Promise<Sandbox> {
  const sandbox = createSandbox(files);
  expect((await sandbox.run(client.args)).stderr).toBe("");
  return sandbox;
}

/** Checks that an editor navigates from a client to its contract. */
export async function expectDefinitions(
  start: (path: string, text: string) => Promise<FindDefinitions>,
  client: Client,
): Promise<void> {
  const sandbox = await createProject(client);
  const text = files["app.ts"].replace("books-client", client.specifier);
  const findDefinitions = await start(join(sandbox.root, "app.ts"), text);
  for (const [asked, document, declaration] of expected) {
    const lines = text.slice(0, text.indexOf(asked)).split("\n");
    const [found] = await findDefinitions({
      line: lines.length - 1,
      character: lines.at(-1)?.length ?? 0,
    });
    if (found === undefined) return expect.unreachable(asked);
    const path = relative(sandbox.root, found.path);
    expect(path, asked).toBe(client.pathOf(document));
    const line = sandbox.read(path).split("\n")[found.line] ?? "";
    expect(line).toContain(declaration);
    const word = line.slice(found.character).toLowerCase();
    expect(asked.toLowerCase()).toContain(/^[a-z]{4}/u.exec(word)?.[0]);
  }
}
