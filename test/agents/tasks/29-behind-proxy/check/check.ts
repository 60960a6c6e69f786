import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { once } from "node:events";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { createShopClient } from "./generated/client.js";
import { startNginx } from "./nginx.js";
import { prices } from "./prices.js";
import { reports } from "./reports.js";
import { http } from "./server.js";

let connections = 0;
http.on("connection", () => (connections += 1));
http.listen(0, "127.0.0.1");
await once(http, "listening");
const target = Number(Object(http.address()).port);
const nginx = await startNginx(target);

/** Calls `Report` from an address of this machine. */
async function report(
  localAddress: string,
  headers: Record<string, string> = {},
  port = nginx.port,
): Promise<[status: number | undefined, IncomingHttpHeaders]> {
  const sent = request({
    host: "127.0.0.1",
    ...{ port, localAddress, method: "POST", path: "/rpc/Shop/Report" },
    headers: { "content-type": "application/json", ...headers },
    agent: new Agent({ keepAlive: true }),
  }).end("{}");
  const [response] = await once(sent, "response");
  await text(response);
  sent.destroy();
  return [response.statusCode, response.headers];
}

/** Waits until this many clients watch prices. */
async function watchers(count: number): Promise<void> {
  while (prices.listenerCount("price") !== count) await setTimeout(10);
}

try {
  // Each client has one report at a time.
  const first = once(reports, "started");
  const ada = report("127.0.0.2");
  await first;
  const second = once(reports, "started");
  const bob = report("127.0.0.3");
  await Promise.race([
    second,
    bob.then(([status]) => strictEqual(status, 200)),
  ]);
  const pretended = ["X-Real-IP", "X-Forwarded-For", "Forwarded"];
  for (const name of ["X-Other", ...pretended]) {
    const more = report("127.0.0.2", { [name]: "127.0.0.9" });
    const started = once(reports, "started").then(() => ["started"]);
    const [outcome] = await Promise.race([more, started]);
    strictEqual(outcome, 429, name);
  }
  reports.emit("done");
  strictEqual((await ada)[0], 200);
  strictEqual((await bob)[0], 200);

  const baseUrl = `http://127.0.0.1:${nginx.port}`;
  const shop = createShopClient({ baseUrl });

  // Each price arrives before the next one.
  const seen: number[] = [];
  const watching = shop.watchPrices({ isbn: "1" })[Symbol.asyncIterator]();
  const next = watching.next();
  await Promise.race([watchers(1), next]);
  for (const cents of [30, 20, 10]) {
    const item = cents === 30 ? next : watching.next();
    prices.emit("price", cents);
    seen.push((await item).value?.cents ?? 0);
  }
  deepStrictEqual(seen, [30, 20, 10]);
  await watching.return?.();
  await watchers(0);

  const cover = new Blob([new Uint8Array(30_000_000)]);
  const uploaded = await shop.uploadCover({ isbn: "1", cover });
  strictEqual(Number(uploaded.bytes), 30_000_000);

  // One idle connection is enough for one call after the other.
  const before = connections;
  for (let count = 0; count < 10; count += 1) {
    const small = new Blob(["cover"]);
    await shop.uploadCover({ isbn: "1", cover: small });
  }
  ok(connections - before <= 1, `${connections - before} new connections`);

  // Node says how long it keeps idle connections.
  const direct = report("127.0.0.4", {}, target);
  await Promise.race([once(reports, "started"), direct]);
  reports.emit("done");
  const [, headers] = await direct;
  const kept = /timeout=(\d+)/u.exec(String(headers["keep-alive"]))?.[1];
  ok(Number(kept) > nginx.idle, `the server keeps connections for ${kept} s`);
} finally {
  nginx.stop();
  http.closeAllConnections();
  http.close();
}
