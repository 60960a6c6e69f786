import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build } from "esbuild";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";

import type { Fetch } from "../../../runtime/typescript/client/client.js";
import {
  itemsTables,
  memoryItems,
} from "../../../runtime/typescript/server/stream-log.js";
import { createChatClient } from "../../../test/golden/fixtures/resumed-streams/expected/index.js";
import { createRandom } from "../crash/random.js";
import { createDatabase } from "../support/test-database.js";
import { openItems, openMessages, serveMessages } from "./stream-instance.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const random = createRandom(seed);

/** With `RIDLKIT_RUNS=10`: 100,000 items, cut at least 1,000 times. */
const runs = Math.max(1, Number(process.env["RIDLKIT_RUNS"] ?? 3));
const itemCount = 10_000 * runs;
const cutCount = 100 * runs;
const killCount = 2 * runs;

/** Instances that share a log. */
interface Instances {
  readonly urls: () => readonly string[];
  readonly kill: (index: number) => Promise<void>;
  readonly publish: (text: string) => Promise<unknown>;
}

/** Cuts a stream after a number of bytes, anywhere in a line. */
function cutAfter(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  onCut: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = bytes;
  return new ReadableStream({
    async pull(controller) {
      if (left <= 0) {
        onCut();
        void reader.cancel();
        controller.error(new TypeError("terminated"));
        return;
      }
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(value.subarray(0, left));
      left -= value.length;
    },
    cancel: () => reader.cancel(),
  });
}

/** Reads all items while connections are cut and instances are killed. */
async function follow({ kill, publish, urls }: Instances) {
  // A third exists before the reader comes.
  let published = 0;
  const publishTo = async (end: number): Promise<void> => {
    for (; published < end; published += 1) await publish(String(published));
  };
  await publishTo(itemCount / 3);
  let cuts = 0;
  // An item takes more than 50 bytes, and half of this is read before a cut.
  const bytesPerCut = (50 * itemCount) / cutCount;
  const cutting: Fetch = async (address, init) => {
    const all = urls();
    const url = all[Math.floor(random() * all.length)] ?? "";
    const response = await fetch(address.replace("http://host", url), init);
    if (response.body === null) return response;
    const onCut = (): void => void (cuts += 1);
    const body = cutAfter(response.body, 1 + random() * bytesPerCut, onCut);
    const { headers, status } = response;
    return new Response(body, { headers, status });
  };
  const chat = createChatClient({ baseUrl: "http://host", fetch: cutting });
  const reconnect = { minDelayMs: 1, maxDelayMs: 20 };
  const publishing = publishTo(itemCount);
  const wrong: unknown[] = [];
  let [next, kills, first] = [0, 0, 0];
  for await (const item of chat.watch({ room: "lobby" }, { reconnect })) {
    if (next === 0) first = item.messageId;
    const isRight =
      item.text === String(next) && item.messageId === first + next;
    if (!isRight) wrong.push([next, item]);
    next += 1;
    if (next === itemCount) break;
    if (next > ((kills + 1) * itemCount) / (killCount + 1)) {
      await kill(kills % 2);
      kills += 1;
    }
  }
  await publishing;
  console.log(`${next} items, ${cuts} cuts, ${kills} kills, seed ${seed}`);
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(next).toBe(itemCount);
  expect(cuts).toBeGreaterThanOrEqual(cutCount);
  expect(kills).toBe(killCount);
}

test("a stream that is cut loses and doubles no item, in memory", async () => {
  const store = memoryItems({ items: itemCount });
  const publisher = openMessages(store);
  const open = async () => {
    const http = serveMessages(openMessages(store)).listen(0);
    await once(http, "listening");
    return http;
  };
  const servers = [await open(), await open()];
  onTestFinished(() => {
    for (const each of servers) each.close().closeAllConnections();
  });
  await follow({
    publish: (text) => publisher.publish("lobby", text),
    urls: () =>
      servers.map(
        (each) => `http://localhost:${(each.address() as AddressInfo).port}`,
      ),
    kill: async (index) => {
      servers[index]?.close().closeAllConnections();
      servers[index] = await open();
    },
  });
}, 600_000);

test("a stream that is cut loses and doubles no item, with killed processes and PostgreSQL", async () => {
  const folder = mkdtempSync(join(tmpdir(), "resumed-streams-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "instance.cjs");
  await build({
    entryPoints: ["platform/test/instances/stream-instance.ts"],
    outfile: program,
    ...{ bundle: true, platform: "node", format: "cjs" },
    external: ["pg-native"],
    logLevel: "error",
  });
  const url = await createDatabase();
  // The database does not crash, so publishing need not wait for its disk.
  const options = "-c synchronous_commit=off";
  const pool = new pg.Pool({ connectionString: url, max: 4, options });
  await pool.query(itemsTables);
  const children: { child: ChildProcess; port: number }[] = [];
  const start = async () => {
    const child = fork(program, [url]);
    const [port] = await once(child, "message");
    return { child, port: Number(port) };
  };
  children.push(await start(), await start());
  onTestFinished(async () => {
    for (const { child } of children) child.kill("SIGKILL");
    await pool.end();
  });
  const publisher = openMessages(openItems(pool, 1e9));
  await follow({
    publish: (text) => publisher.publish("lobby", text),
    urls: () => children.map(({ port }) => `http://localhost:${port}`),
    kill: async (index) => {
      children[index]?.child.kill("SIGKILL");
      children[index] = await start();
    },
  });
}, 600_000);
