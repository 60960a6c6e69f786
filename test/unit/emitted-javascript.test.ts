import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emitCase, goldenCases } from "../support/golden-cases.js";

/** A user's JavaScript program for Node.js that uses the output. */
const program = `
import { LentError, createPlatformClient, Place } from "./generated/index.js";
import { createLibraryServer } from "./generated/library/server.js";
import { createLoanWebhookSender } from "./generated/loans/client.js";
import {
  createLoansServer,
  createLoanWebhookReceiver,
} from "./generated/loans/server.js";
import { toFile } from "./generated/runtime/wire/file-data.js";
import { Library } from "./generated/library/webrpc.js";

const added = new Date("2025-01-02T03:04:05.678Z");
const bookOf = (id) => ({ id, title: "a", place: Place.SHELF, added });
const library = createLibraryServer({
  verifyReaderKey: (key) => key === "key",
  handlers: {
    library: {
      getBook: ({ id }) => {
        if (id === 7n) throw new LentError();
        return { book: { ...bookOf(id), price: 2n ** 70n, parts: [bookOf(1n)] } };
      },
      listBooks: ({ ids }) => ({ books: ids.map(bookOf) }),
      addPages: async ({ pages }) => {
        let count = 0;
        for (const page of pages) count += (await toFile(page)).size;
        return { count };
      },
      scan: () => ({ file: new Blob(["page"], { type: "text/plain" }) }),
      async *watch({ place }) {
        yield { book: { ...bookOf(2n), place }, at: added };
      },
      ping: () => {},
    },
  },
});
const loans = createLoansServer({
  verifyReaderKey: () => true,
  handlers: { loans: { lend: ({ until }) => ({ at: until ?? added }) } },
});
const received = [];
const receiver = createLoanWebhookReceiver({
  handlers: {
    loanWebhook: {
      returned: (request) => void received.push(request),
      lost: (request) => void received.push(request),
    },
  },
});

const fetchFrom = (server) => (url, init) => server.fetch(new Request(url, init));
const byHost = { library: fetchFrom(library), loans: fetchFrom(loans) };
const client = createPlatformClient({
  hosts: {
    library: "https://library.example.com",
    loans: "https://loans.example.com",
  },
  parameters: { branch: "north" },
  credentials: { readerKey: "key" },
  fetch: (url, init) => byHost[new URL(url).hostname.split(".")[0]](url, init),
});
const kindOf = async (call) => {
  try {
    return await call;
  } catch (error) {
    return error instanceof LentError ? "lent" : error.name;
  }
};

const events = [];
for await (const { book, at } of client.library.watch({ place: Place.LENT })) {
  events.push(book.place, at instanceof Date);
}
const scan = await client.library.scan({ id: 1n });
const send = createLoanWebhookSender({ fetch: fetchFrom(receiver) });
await send.returned("https://hooks.example.com/", { id: 2n ** 63n, at: added });
const other = new Library("https://library.example.com", fetchFrom(library));

const results = {
  book: (await client.library.getBook({ id: 2n ** 63n })).book,
  lent: await kindOf(client.library.getBook({ id: 7n })),
  refused: await kindOf(client.library.getBook({ id: "7" })),
  listed: (await client.library.listBooks({ ids: [1n, 2n], size: "small" })).books.length,
  added: await client.library.addPages({ id: 1n, pages: [new Blob(["ab"]), new Blob(["c"])] }),
  scan: await (await toFile(scan.file)).text(),
  events,
  lend: (await client.loans.lend({ id: 1n, until: added })).at,
  received,
  webrpc: Object.keys(await other.ping()).length,
};
console.log(JSON.stringify(results, (_, value) =>
  typeof value === "bigint" ? \`\${value}n\` : value,
));
`;

let folder = "";
beforeAll(() => {
  const golden = goldenCases().find(({ name }) => name === "javascript");
  if (golden === undefined) throw new Error("the case is gone");
  folder = mkdtempSync(join(tmpdir(), "ridlkit-javascript-"));
  write("package.json", '{ "type": "module" }');
  write("main.js", program);
  for (const { path, text } of emitCase(golden)) {
    expect(text).not.toMatch(/from "ridlkit/u);
    write(`generated/${path}`, text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

test("Node.js runs the JavaScript directly: calls, reads, streams, files, and webhooks", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["main.js"], {
    cwd: folder,
  });
  const added = "2025-01-02T03:04:05.678Z";
  const book = { title: "a", place: "SHELF", added };
  expect(JSON.parse(stdout)).toEqual({
    book: {
      ...book,
      id: "9223372036854775808n",
      price: "1180591620717411303424n",
      parts: [{ ...book, id: "1n" }],
    },
    lent: "lent",
    refused: "WebrpcBadRequest",
    listed: 2,
    added: { count: 3 },
    scan: "page",
    events: ["LENT", true],
    lend: added,
    received: [{ id: "9223372036854775808n", at: added }],
    webrpc: 0,
  });
});
