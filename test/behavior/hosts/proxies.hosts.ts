import { spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readContract } from "../conformance/load-contract.js";
import { runCommand } from "../run-command.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import { writeSet } from "../write-set.js";
import { clientsIn, type Client, type Outcome } from "./proxies/clients.js";
import { partBytes } from "./proxies/part-bytes.js";
import {
  proxies,
  startProgram,
  type Proxy,
  type ProxyKind,
} from "./proxies/start-proxy.js";
import { isRefused, wholeOf } from "./proxies/transfers.js";

// Programs in this folder find the packages of the hosts.
const work = join(import.meta.dirname, ".work");
mkdirSync(work, { recursive: true });
const folder = mkdtempSync(join(work, "proxies-"));
const hasGo = spawnSync("go", ["version"]).status === 0;

/** Starts a server, maybe below the middleware `compression()`. */
type Start = (...words: readonly string[]) => ReturnType<typeof startProgram>;

/** The servers, without those whose language is not installed. */
const servers: Readonly<Record<string, Start>> = {
  "on Node": (...words) =>
    startProgram(process.execPath, join(folder, "server.mjs"), ...words),
  ...(hasGo && {
    "in Go": () => startProgram(join(folder, "server.exe"), `${2 * partBytes}`),
  }),
};
const clients = clientsIn(folder, hasGo ? join(folder, "client.exe") : null);

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "proxies/server.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    alias: runtimeEntries,
    external: ["express"],
    outfile: join(folder, "server.mjs"),
  });
  const rig = join(import.meta.dirname, "proxies");
  const contract = readContract(rig, "transfers.ridl");
  writeSet("python", contract, folder, "transfers");
  writeSet("go", contract, folder, "example.com/transfers");
  cpSync(join(rig, "go"), join(folder, "go/cmd"), { recursive: true });
  for (const name of hasGo ? ["client", "server"] : []) {
    const args = ["build", "-o", `../${name}.exe`, `./cmd/${name}`];
    await runCommand("go", args, join(folder, "go"));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

if (!hasGo) console.log("NOT RUN: Go behind proxies. Go is not installed.");

/** How a transfer ends: what its source does, and what cuts it. */
const endings: Readonly<
  Record<
    string,
    readonly [
      source: string,
      cut?: (server: ChildProcess, proxy: Proxy) => unknown,
    ]
  >
> = {
  "are complete": ["complete"],
  "fail at their source": ["throw"],
  "are cut when the server is stopped": ["wait", (it) => it.kill("SIGTERM")],
  "are cut when the server is killed": ["wait", (it) => it.kill("SIGKILL")],
  "are cut when the proxy is stopped": ["wait", (_, proxy) => proxy.stop()],
};

const cells = Object.entries(clients).flatMap(([client, { names }]) =>
  names.map((name) => `${client}: ${name}`),
);

/** Runs all transfers of all clients, and cuts them once all have begun. */
async function run(
  start: Start,
  kind: ProxyKind,
  [source, cut]: (typeof endings)[string],
): Promise<Readonly<Record<string, Outcome>>> {
  const words = kind.isMiddleware === true ? ["compression"] : [];
  const [server, port] = await start(...words);
  const proxy = await kind.start(port);
  const baseUrl = `http://127.0.0.1:${String(proxy.port)}`;
  const begun = new Set<string>();
  const onFirst = async (cell: string): Promise<void> => {
    if (begun.has(cell) || begun.add(cell).size < cells.length) return;
    // Everything that was sent before the cut may arrive.
    await sleep(50);
    await cut?.(server, proxy);
  };
  const readAll = async ([client, { read }]: readonly [string, Client]) => {
    const told = (name: string) => void onFirst(`${client}: ${name}`);
    const outcomes = Object.entries(await read(baseUrl, source, told));
    return outcomes.map(([name, each]) => [`${client}: ${name}`, each]);
  };
  try {
    const all = await Promise.all(Object.entries(clients).map(readAll));
    return Object.fromEntries(all.flat());
  } finally {
    server.kill("SIGKILL");
    await proxy.stop().catch(() => {});
  }
}

/** Returns what is wrong with the outcome of a transfer, or null. */
function faultOf(
  cell: string,
  { count, failure }: Outcome = { count: 0, failure: null },
  isKnown: boolean,
  ending: string,
): string | null {
  const told = `${String(count)} and ${String(failure)}`;
  if (!isKnown) return failure === "WebrpcRequestFailed" ? null : told;
  if (ending === "are complete")
    return failure === null && count === wholeOf(cell) ? null : told;
  // What a proxy keeps back would never be cut.
  const hasBegun = !ending.includes("cut") || count > 0;
  return failure !== null && hasBegun ? null : told;
}

for (const [where, start] of Object.entries(servers))
  for (const kind of proxies) {
    if (!kind.isInstalled())
      console.log(`NOT RUN: ${kind.name} is not installed`);
    // Express only runs on Node.
    const isPossible = kind.isMiddleware !== true || where === "on Node";
    const title = `behind ${kind.name}, transfers of a server ${where}`;
    describe.runIf(kind.isInstalled() && isPossible)(title, () => {
      const isProxy = kind.name !== "none" && kind.isMiddleware !== true;
      for (const [ending, how] of Object.entries(endings)) {
        if (ending.includes("proxy") && !isProxy) continue;
        test(ending, async () => {
          const outcomes = await run(start, kind, how);
          const faults = cells.flatMap((cell) => {
            const isKnown = !isRefused(kind, cell);
            const fault = faultOf(cell, outcomes[cell], isKnown, ending);
            return fault === null ? [] : [`${cell}: ${fault}`];
          });
          expect(faults).toEqual([]);
        });
      }
    });
  }
