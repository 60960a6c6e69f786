import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimeEntries } from "../../support/runtime-entries.js";
import {
  proxies,
  startProgram,
  type Proxy,
  type ProxyKind,
} from "./proxies/start-proxy.js";
import { isRefused, transfers, type Items } from "./proxies/transfers.js";

/** What a client has received, and the reason of the error that ended it. */
interface Outcome {
  readonly count: number;
  readonly failure: unknown;
}

// Programs in this folder find the packages of the hosts.
const work = join(import.meta.dirname, ".work");
mkdirSync(work, { recursive: true });
const folder = mkdtempSync(join(work, "proxies-"));
const program = join(folder, "server.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "proxies/server.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    alias: runtimeEntries,
    external: ["express"],
    outfile: program,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

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
  const words = kind.isMiddleware === true ? ["compression"] : [];
  const [server, port] = await startProgram(program, ...words);
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
      const isKnown = !isRefused(kind, name);
      test(`${name}: complete`, async () => {
        const { failure } = await run(kind, items, "complete", async () => {});
        expect(failure).toBe(isKnown ? null : "WebrpcRequestFailed");
      });
      test(`${name}: the source fails`, async () => {
        const { failure } = await run(kind, items, "throw", async () => {});
        expect(failure).not.toBeNull();
      });
      for (const [how, cut] of Object.entries(cuts)) {
        const isProxy = kind.name !== "none" && kind.isMiddleware !== true;
        if (how === "the proxy is stopped" && !isProxy) continue;
        test(`${name}: ${how}`, async () => {
          const { count, failure } = await run(kind, items, "wait", cut);
          expect(failure).not.toBeNull();
          // A proxy that keeps the first item back would never be cut.
          if (isKnown) expect(count).toBeGreaterThan(0);
        });
      }
    }
  });
}
