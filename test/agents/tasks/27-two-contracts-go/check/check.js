import { deepStrictEqual, match, strictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";

const requests = [];
const missing = { error: "BookNotFound", code: 1404, msg: "none", status: 404 };
const changed = { error: "PriceChanged", code: 1409, msg: "no", status: 409 };

/** The response of each method, or null if there is none. */
const methods = {
  "/rpc/Catalog/GetBook"({ isbn }) {
    if (isbn === "slow") {
      running.child.stdin.write("\n");
      return null;
    }
    return isbn === "none" ? missing : { book: { isbn, title: "T", cents: 7 } };
  },
  "/rpc/Orders/Place": ({ book }) =>
    book.isbn === "expensive" ? changed : { orderId: `order of ${book.isbn}` },
};

async function start() {
  const server = createServer(async (request, response) => {
    const body = await json(request);
    const { "x-purchase": purchase, "idempotency-key": key } = request.headers;
    requests.push([request.url, purchase, key, body.book?.cents]);
    const answer = methods[request.url]?.(body);
    if (answer === null) return;
    response.writeHead(answer?.status ?? (answer ? 200 : 404), {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0);
  await once(server, "listening");
  return server;
}

const servers = [await start(), await start()];
const urls = servers.map((each) => `http://localhost:${each.address().port}`);
const running = promisify(execFile)("built/checkpurchase", urls);
const { stdout } = await running;
const [first, again, none, expensive, slow, other] = JSON.parse(stdout);
deepStrictEqual([first, again], ["order of 1", "order of 1"]);
match(none, /^BookNotFound 404 of example\.com\/acme\//u);
// Both errors have the same type.
strictEqual(expensive, none.replace("BookNotFound 404", "PriceChanged 409"));
match(slow, /^too late\b/u);
strictEqual(other, "something else");

const catalog = "/rpc/Catalog/GetBook";
const orders = "/rpc/Orders/Place";
const keys = requests.flatMap(([url, , key]) => (url === orders ? [key] : []));
strictEqual(keys[0], keys[1]);
match(keys[0], /first/u);
deepStrictEqual(
  requests.map(([url, purchase, , cents]) => [url, purchase, cents]),
  [
    [catalog, "first", undefined],
    [orders, "first", 7],
    [catalog, "first", undefined],
    [orders, "first", 7],
    [catalog, "second", undefined],
    [catalog, "third", undefined],
    [orders, "third", 7],
    [catalog, "fourth", undefined],
  ],
);
for (const server of servers) {
  server.closeAllConnections();
  server.close();
}
