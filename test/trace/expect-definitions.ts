import { join, relative } from "node:path";
import { expect } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import type { FindDefinitions } from "./editor-definitions.js";

const files = {
  "ridl.config.yaml": "schema: [shop.ridl, stock.ridl]\n",
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

/** What is asked about, and the line of its declaration. */
const expected: readonly (readonly [asked: string, target: string])[] = [
  ["getBook(", "shop.ridl:  - GetBook("],
  ["GetBookRequest =", "shop.ridl:  - GetBook("],
  ["isbn: ", "shop.ridl:  - GetBook(isbn: string)"],
  ["stock.count", "stock.ridl:service Stock"],
  ["count({", "stock.ridl:  - Count("],
  ["Book = ", "shop.ridl:struct Book"],
  ["isbn_no", "shop.ridl:  - isbn: string"],
  ["Cover.", "shop.ridl:enum Cover"],
  ["PAPER", "shop.ridl:  - PAPER"],
  ["NotFoundError,", "shop.ridl:error 1000 NotFound"],
  ["createBooksClient,", "shop.ridl:service Books"],
];

/** Checks that an editor leads from the client of a package to its contract. */
export async function expectDefinitions(
  start: (path: string, text: string) => Promise<FindDefinitions>,
): Promise<void> {
  const sandbox = createSandbox(files);
  const out = "node_modules/books-client";
  const args = ["package", "--out", out, "--name", "books-client"];
  expect((await sandbox.run(args)).stderr).toBe("");
  const text = files["app.ts"];
  const findDefinitions = await start(join(sandbox.root, "app.ts"), text);
  for (const [asked, target] of expected) {
    const lines = text.slice(0, text.indexOf(asked)).split("\n");
    const [found] = await findDefinitions({
      line: lines.length - 1,
      character: lines.at(-1)?.length ?? 0,
    });
    if (found === undefined) return expect.unreachable(asked);
    const path = relative(sandbox.root, found.path);
    const line = sandbox.read(path).split("\n")[found.line] ?? "";
    expect(`${path}:${line}`).toContain(`${out}/schema/${target}`);
    const word = line.slice(found.character).toLowerCase();
    expect(asked.toLowerCase()).toContain(/^[a-z]{4}/u.exec(word)?.[0]);
  }
}
