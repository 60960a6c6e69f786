import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTransfer } from "../../runtime/client/transfer.js";
import { openStream } from "../../runtime/client/stream.js";
import { stream } from "../../runtime/codegen/create-streams.js";
import { transfer } from "../../runtime/codegen/create-transfers.js";
import { pricesWatch } from "../golden/fixtures/event-streams/expected/client.js";
import { runtimeEntries } from "../support/runtime-entries.js";
import { partBytes } from "./proxies/part-bytes.js";
import { proxies, type Proxy, type ProxyKind } from "./proxies/start-proxy.js";

/** What a client has received, and the reason of the error that ended it. */
interface Outcome {
  readonly count: number;
  readonly failure: unknown;
}

type Items = (baseUrl: string, ending: string) => AsyncIterable<unknown>;

async function* bytesOf(
  baseUrl: string,
  request: object,
): AsyncGenerator<unknown> {
  const download = transfer("/rpc/Files/Download", { file: "file" });
  const options = { baseUrl, timeoutMs: 5000 };
  const response = await callTransfer(options, download, request);
  const { file } = Object(response);
  yield* file.stream();
}

/** The kinds of transfers, each of two items. */
const transfers: Readonly<Record<string, Items>> = {
  lines: (baseUrl, ending) =>
    openStream({ baseUrl }, stream("/rpc/Clock/Watch"), { ending }),
  events: (baseUrl, ending) =>
    openStream({ baseUrl }, pricesWatch, { ticker: ending }),
  "a file of known size": (baseUrl, ending) =>
    bytesOf(baseUrl, {
      ending,
      size: (ending === "complete" ? 2 : 3) * partBytes,
    }),
  "a file of unknown size": (baseUrl, ending) => bytesOf(baseUrl, { ending }),
};

const folder = mkdtempSync(join(tmpdir(), "ridlkit-proxies-"));
const program = join(folder, "server.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "proxies/server.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    alias: runtimeEntries,
    outfile: program,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function startServer(): Promise<readonly [ChildProcess, number]> {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  return [child, Number(/"port":(\d+)/u.exec(text.toString())?.[1])];
}

/** Reads a transfer, and calls a function once something has arrived. */
async function readUntil(
  items: AsyncIterable<unknown>,
  onFirst: () => Promise<void>,
): Promise<Outcome> {
  let count = 0;
  try {
    for await (const _ of items) {
      count += 1;
      if (count === 1) await onFirst();
    }
    return { count, failure: null };
  } catch (error) {
    const { name, reason = name } = Object(error);
    return { count, failure: reason };
  }
}

/** What cuts a transfer. */
const cuts: Readonly<
  Record<string, (server: ChildProcess, proxy: Proxy) => Promise<void>>
> = {
  "the server is stopped": async (server) => void server.kill("SIGTERM"),
  "the server is killed": async (server) => void server.kill("SIGKILL"),
  "the proxy is stopped": (_, proxy) => proxy.stop(),
};

async function run(
  kind: ProxyKind,
  items: Items,
  ending: string,
  cut: (server: ChildProcess, proxy: Proxy) => Promise<void>,
): Promise<Outcome> {
  const [server, port] = await startServer();
  const proxy = await kind.start(port);
  try {
    const baseUrl = `http://127.0.0.1:${String(proxy.port)}`;
    return await readUntil(items(baseUrl, ending), async () => {
      // Everything that was sent before the cut may arrive.
      await sleep(50);
      await cut(server, proxy);
    });
  } finally {
    server.kill("SIGKILL");
    await proxy.stop().catch(() => {});
  }
}

for (const kind of proxies) {
  if (!kind.isInstalled())
    console.log(`NOT RUN: ${kind.name} is not installed`);
  describe.runIf(kind.isInstalled())(`behind ${kind.name}`, () => {
    for (const [name, items] of Object.entries(transfers)) {
      const isRefused = kind.isHttp10 && name === "a file of unknown size";
      test(`${name}: complete`, async () => {
        const { failure } = await run(kind, items, "complete", async () => {});
        expect(failure).toBe(isRefused ? "WebrpcRequestFailed" : null);
      });
      test(`${name}: the source fails`, async () => {
        const { failure } = await run(kind, items, "throw", async () => {});
        expect(failure).not.toBeNull();
      });
      for (const [how, cut] of Object.entries(cuts)) {
        if (how === "the proxy is stopped" && kind.name === "none") continue;
        test(`${name}: ${how}`, async () => {
          const { count, failure } = await run(kind, items, "wait", cut);
          expect(failure).not.toBeNull();
          // A proxy that keeps the first item back would never be cut.
          if (!isRefused) expect(count).toBeGreaterThan(0);
        });
      }
    }
  });
}
