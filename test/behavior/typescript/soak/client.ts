import { connect } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientOptions } from "../../../../runtime/typescript/client/call.js";
import { retry } from "../../../../runtime/typescript/client/interceptors.js";
import { createShopClient } from "../../../golden/fixtures/idempotency-keys/expected/client.js";
import { createPicturesClient } from "../../../golden/fixtures/file-bodies/expected/client.js";
import { createChatClient } from "../../../golden/fixtures/resumed-streams/expected/client.js";
import { measure } from "./measure.js";

/**
 * A program that calls a server in rounds, with one signal for all calls, and
 * measures itself after each round.
 */
const port = Number(process.argv[2]);
const baseUrl = `http://127.0.0.1:${String(port)}`;
const { signal } = new AbortController();
const options: ClientOptions = { baseUrl, use: [retry()], timeoutMs: 3000 };
const shop = createShopClient(options);
const chat = createChatClient(options);
const pictures = createPicturesClient(options);
const content = new Blob([new Uint8Array(100_000)]);
const mine = { signal };

/** Returns options that end a call soon. */
function brief(ms: number): { readonly signal: AbortSignal } {
  const own = new AbortController();
  setTimeout(() => own.abort(), ms);
  return { signal: own.signal };
}

let running = 0;

/** Reads some items of a stream, and leaves it. */
async function take(items: AsyncIterable<unknown>, most: number) {
  let left = most;
  for await (const _ of items) if ((left -= 1) <= 0) return;
}

/** Sends a part of a request, and closes the connection. */
async function cut(): Promise<void> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    "POST /pictures?name=a HTTP/1.1\r\nhost: a\r\ncontent-type: application/octet-stream\r\ncontent-length: 9999\r\n\r\nabc",
  );
  await sleep(Math.random() * 20);
  socket.destroy();
}

const calls: readonly ((id: number) => Promise<unknown>)[] = [
  () => shop.countOrders({}, mine),
  (id) => shop.order({ sku: `room ${String(id % 50)}`, count: id % 7 }, mine),
  () => shop.addNote({ orderId: "1", text: "a" }, mine),
  () => take(chat.tick({}, mine), 99),
  (id) => take(chat.watch({ room: `room ${String(id % 50)}` }, brief(50)), 9),
  () => pictures.add({ name: "a", content }, mine),
  async () => {
    const { file } = await pictures.get({ id: "1" }, mine);
    await new Response(file.stream()).arrayBuffer();
  },
  async () => {
    const { file } = await pictures.get({ id: "1" }, mine);
    const reader = file.stream().getReader();
    await reader.read();
    await reader.cancel();
  },
  () => shop.order({ sku: "left", count: 500 }, brief(10)),
  cut,
];

let next = 0;

/** Makes calls one after another, some of which fail. */
async function work(until: number): Promise<void> {
  while (performance.now() < until) {
    next += 1;
    running += 1;
    await calls[next % calls.length]?.(next).catch(() => undefined);
    running -= 1;
  }
}

process.on("message", async (ms: number) => {
  const until = performance.now() + ms;
  await Promise.all(Array.from({ length: 20 }, () => work(until)));
  process.send?.({ ...(await measure(running, signal)), count: next });
});
process.send?.("ready");
