import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { isSample } from "../../support/draw-some.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import type { Measured } from "./soak/measure.js";

const minutes = Number(process.env["RIDLKIT_SOAK_MINUTES"] ?? 1);
const rounds = 30;
const roundMs = (minutes * 60_000) / rounds;

/** Growth of a heap over the whole run that is noise, in bytes. */
const noiseBytes = 2 * 2 ** 20;

async function start(path: string, ...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-soak-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [path],
    outfile,
    alias: runtimeEntries,
    ...{ bundle: true, platform: "node", format: "esm", logLevel: "error" },
  });
  const child = fork(outfile, words, { execArgv: ["--expose-gc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [first] = await once(child, "message");
  return [child, String(first)] as const;
}

async function ask(child: ChildProcess, message: number): Promise<Measured> {
  child.send(message);
  const [answer] = await once(child, "message");
  return answer as Measured;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Returns the slope of a line through values, for all of them together. */
function growthOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  const rise = values.map((value, at) => (at - middle) * (value - mean));
  const run = values.map((_, at) => (at - middle) ** 2);
  return (sum(rise) / sum(run)) * values.length;
}

test.skipIf(isSample)(
  `nothing grows within ${String(minutes)} min of calls, streams and files`,
  async () => {
    const [server, port] = await start(
      "test/behavior/typescript/soak/server.ts",
    );
    const [client] = await start(
      "test/behavior/typescript/soak/client.ts",
      port,
    );
    const measured: Readonly<Record<string, Measured[]>> = {
      server: [],
      client: [],
    };
    let count = 0;
    for (let round = 0; round < rounds; round += 1) {
      const ofClient = await ask(client, roundMs);
      count = Object(ofClient).count;
      measured["client"]?.push(ofClient);
      // Handlers of calls that their client has left end a moment later.
      await expect
        .poll(async () => (await ask(server, 0)).running, { interval: 100 })
        .toBe(0);
      measured["server"]?.push(await ask(server, 0));
    }
    for (const [name, all] of Object.entries(measured)) {
      // Caches and compiled code grow at first.
      const settled = all.slice(rounds / 3);
      const growth = growthOf(settled.map(({ heapBytes }) => heapBytes));
      const [first, last] = [settled[0], settled.at(-1)];
      console.log(
        `${name}: ${count} calls, heap ${mib(first?.heapBytes)} to ${mib(last?.heapBytes)} MiB (slope ${mib(growth)}), ${last?.handles} handles, ${last?.listeners} listeners`,
      );
      expect(growth, name).toBeLessThan(noiseBytes);
      for (const { handles, listeners, running } of settled) {
        expect([name, handles, running]).toEqual([name, first?.handles, 0]);
        expect(listeners).toBeLessThan(3);
      }
    }
  },
  1_200_000,
);

function mib(bytes = 0): string {
  return (bytes / 2 ** 20).toFixed(2);
}
