import { deepStrictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { BookNotFoundError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const pages: (string | undefined)[] = [];
let leave = (): void => {};
const left = new Promise<void>((resolve) => {
  leave = resolve;
});
const server = createShopServer({
  verifyToken: (token) => token === "token-of-ada",
  handlers: {
    shop: {
      async getBook({ isbn }) {
        if (isbn === "0") throw new BookNotFoundError();
        // Waits until the client has stopped watching.
        if (isbn === "3") await left;
        return { book: { isbn, title: `Book ${isbn}` } };
      },
      listTitles({ cursor }) {
        pages.push(cursor);
        const page = Number(cursor ?? 1);
        const titles = [1, 2, 3].map((number) => `${page}.${number}`);
        if (page === 3) return { titles };
        return { titles, nextCursor: String(page + 1) };
      },
      async *watchPrices({ isbn }, { signal }) {
        if (isbn === "0") throw new BookNotFoundError();
        yield { cents: 30 };
        yield { cents: 21 };
        yield { cents: 20 };
        yield { cents: 10 };
        await once(signal, "abort");
        leave();
      },
    },
  },
});
const http = createServer(toNodeHandler(server)).listen(0);
await once(http, "listening");
const { port } = Object(http.address());
const args = [
  ...["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
  ...["-cp", process.env["CLASSES"] ?? "", "CheckKt"],
  `http://localhost:${port}`,
];
// A client that never stops watching would wait forever.
const options = { timeout: 200_000 };
const { stdout } = await promisify(execFile)("java", args, options);
deepStrictEqual(stdout.trim().split("\n"), [
  "[Book 1, null, Book 2]",
  "401",
  "[1.1, 1.2, 1.3, 2.1]",
  "9",
  "20",
  "[Book 3]",
  "null",
]);
deepStrictEqual(pages, [undefined, "2", undefined, "2", "3"]);
http.closeAllConnections();
http.close();
