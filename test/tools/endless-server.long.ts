import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
} from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { beforeAll, afterAll, expect, it } from "vitest";
import { listen } from "../support/listen.js";
import { runtimeEntries } from "../support/runtime-entries.js";

const contract = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  @readonly
  - Read() => (text: string)
`;

const measuredMs = 10_000;
const maxGrowthMegabytes = 64;

/**
 * Without this, V8 keeps up to 48 MB of garbage of the last requests, the more
 * of it the faster the machine is.
 */
const smallNursery = "--max-semi-space-size=2";

let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "endless-"));
  writeFileSync(join(folder, "shop.ridl"), contract);
  await build({
    stdin: {
      contents: `
        import { createSender, webhook } from "@ridlkit/runtime/codegen/create-client";
        const sender = createSender({}, { notify: webhook() });
        for (;;) await sender.notify.result(process.argv[2], {});`,
      resolveDir: folder,
    },
    outfile: join(folder, "sender.mjs"),
    alias: runtimeEntries,
    bundle: true,
    format: "esm",
    platform: "node",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Starts a server that sends a body without an end to every request except the
 * first one, with which `ridl test` checks whether there is a server.
 */
async function startEndless(status: number, onRequest: () => void) {
  const piece = Buffer.alloc(64 * 1024, " ");
  let isFirst = true;
  return listen(
    createServer((_, response) => {
      onRequest();
      if (isFirst) {
        isFirst = false;
        response.end("{}");
        return;
      }
      response.writeHead(status, { "content-type": "application/json" });
      const push = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", push);
      push();
    }),
  );
}

const ridl = resolve("bin/ridl.js");

/** Programs that call a server. Each returns the words of its command. */
const programs = {
  "ridl mcp": (url: string) => [ridl, "mcp", "shop.ridl", "--url", url],
  "ridl test": (url: string) => [
    ridl,
    "test",
    url,
    "shop.ridl",
    ...["--max-time", "60000", "--runs", "100000"],
  ],
  "the sender of webhooks": (url: string) => ["sender.mjs", url],
};

/** Asks an MCP server to call its tool, and again after each response. */
function callTools({ stdin, stdout }: ChildProcessWithoutNullStreams): void {
  let id = 0;
  const ask = (method: string, params: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    id += 1;
  };
  stdout.on("data", () =>
    ask("tools/call", { name: "Shop_Read", arguments: {} }),
  );
  ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
}

/** Returns the memory of a process in megabytes: now, or its peak. */
function memoryOf({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, "utf8");
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, "mu").exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

const cases = Object.entries(programs).flatMap(([name, command]) =>
  [200, 500].map((status) => [name, status, command] as const),
);

it.skipIf(process.platform !== "linux").concurrent.for(cases)(
  "%s stays small if a server answers with %i and a body without an end",
  async ([name, status, command], { expect: expectHere }) => {
    let before: number | null = null;
    let requests = 0;
    const server = await startEndless(status, () => {
      requests += 1;
      // The first call also loads what sends requests.
      if (requests === 2) before = memoryOf(child, "VmRSS");
    });
    const child = spawn(
      process.execPath,
      [smallNursery, ...command(server.url)],
      {
        cwd: folder,
      },
    );
    // The program may end first.
    child.stdin.on("error", () => undefined);
    let errors = "";
    child.stderr.on("data", (text) => (errors += String(text)));
    if (name === "ridl mcp") callTools(child);
    else child.stdout.resume();
    try {
      await expectHere.poll(() => [requests > 1, errors]).toEqual([true, ""]);
      const end = performance.now() + measuredMs;
      let peak = 0;
      // `ridl test` ends early, because every request fails.
      while (performance.now() < end && child.exitCode === null) {
        peak = memoryOf(child, "VmHWM") || peak;
        await sleep(50);
      }
      const growth = peak - Number(before);
      console.log(
        `${name}, ${String(status)}: ${growth.toFixed(0)} MB more after ${String(requests)} requests`,
      );
      expect(growth).toBeLessThan(maxGrowthMegabytes);
    } finally {
      child.kill("SIGKILL");
      await server.close();
    }
  },
);
