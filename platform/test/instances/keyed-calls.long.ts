import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { retry } from "@ridlkit/runtime/interceptors";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import {
  type ConsoleHostClient,
  createConsoleHostClient,
} from "../../console/generated/client.js";
import { openDatabase } from "../../database/pool.js";
import { createRandom } from "../crash/random.js";
import {
  createDataFolder,
  type PlatformProcess,
  startProcess,
} from "../start/start-platform.js";
import { createDatabase, silent } from "../support/test-database.js";
import { openCuttingProxy } from "./cutting-proxy.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const random = createRandom(seed);

/** `npm run test:long -- keys` sets both. */
const callCount = Number(process.env["RIDLKIT_KEYED_CALLS"] ?? 200);
const killCount = Number(
  process.env["RIDLKIT_KILLS"] ?? 1 + Math.floor(random() * 2),
);

/** The number of calls that run at the same time. */
const concurrency = 24;

/** The calls of a project change the same tank, one after the other. */
const projectCount = 4;

/** The share of requests and responses at which a connection is cut. */
const cutShare = 0.05;

/** The share of calls that are sent twice at once, as by a double click. */
const doubleShare = 0.2;

const chainId = 137;
const operatorToken = "a token of tests, with enough letters";

/** Starts instances without a chain, with one database. */
async function startInstances(databaseUrl: string) {
  const folder = createDataFolder();
  const config = join(folder, "config.yaml");
  const text = readFileSync("platform/config.yaml", "utf8");
  writeFileSync(
    config,
    text.replace("embeddedChain: hardhat", "embeddedChain: null"),
  );
  const start = (): Promise<PlatformProcess> =>
    startProcess(createDataFolder(), {
      ...{ CONFIG: config, DATABASE_URL: databaseUrl },
      ...{ ADMIN_PORT: "0", METRICS_PORT: "0", LOG_LEVEL: "error" },
      PLATFORM_SECRET: "a secret that all instances have",
      OPERATOR_TOKEN: operatorToken,
    });
  const instances = [await start(), await start()];
  return {
    ports: () =>
      instances.map(({ ready }) => Number(new URL(ready.adminUrl).port)),
    /** Kills an instance, and starts another one in its place. */
    replace: async (index: number): Promise<void> => {
      await instances[index]?.end("SIGKILL");
      instances[index] = await start();
    },
  };
}

function openClient(baseUrl: string): ConsoleHostClient {
  return createConsoleHostClient({
    baseUrl,
    credentials: { sessionToken: operatorToken },
    use: [
      retry({
        ...{ attempts: 1000, backoffMs: 20, maxBackoffMs: 1000 },
        // A connection to a frozen or killed instance can hang.
        attemptTimeoutMs: 10_000,
        isPassing: (error, isAsked) => {
          const { name, reason, status } = Object(error);
          const isTransport = reason !== undefined;
          return (
            isAsked || isTransport || status >= 500 || name === "Unavailable"
          );
        },
      }),
    ],
  });
}

function pickAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

test(
  `runs ${callCount} calls with a key once, with cut connections and ${killCount} kills (seed ${seed})`,
  { timeout: 60_000 + callCount * 200 + killCount * 30_000 },
  async () => {
    const databaseUrl = await createDatabase();
    const instances = await startInstances(databaseUrl);
    const proxy = await openCuttingProxy(instances.ports, cutShare, random);
    onTestFinished(proxy.close);
    const direct = openClient(`http://127.0.0.1:${instances.ports()[0]}`);
    const names = Array.from({ length: projectCount }, (_, i) => `Keys ${i}`);
    const projects = await Promise.all(
      names.map((name) => direct.projects.createProject({ name })),
    );
    const { gasTanks } = openClient(proxy.url);
    const fill = async (call: number, from = gasTanks): Promise<string> => {
      const { project } = pickAt(projects, call);
      // Each call has its own amount, which its entry shows.
      const amount = String(call + 1);
      const request = { projectId: project.id, chainId, amount };
      const own = { idempotencyKey: `call ${call}` };
      return (await from.fillGasTank(request, own)).gasTank.balance;
    };

    const answers = new Map<number, string>();
    let started = 0;
    let kills = 0;
    const work = async (): Promise<void> => {
      while (started < callCount) {
        // Calls are made as long as instances are killed.
        const due = (callCount * (kills + 1)) / (killCount + 1);
        if (started >= due) {
          await sleep(5);
          continue;
        }
        const call = started;
        started += 1;
        const clicks = random() < doubleShare ? 2 : 1;
        const each = Array.from({ length: clicks }, () => fill(call));
        const [answer = "", again = answer] = await Promise.all(each);
        expect(again).toBe(answer);
        answers.set(call, answer);
      }
    };
    const kill = async (): Promise<void> => {
      while (kills < killCount) {
        const due = (callCount * (kills + 0.5)) / (killCount + 1);
        while (answers.size < due) await sleep(5);
        await instances.replace(Math.floor(random() * 2));
        kills += 1;
      }
    };
    await Promise.all([kill(), ...Array.from({ length: concurrency }, work)]);

    const { database } = openDatabase(databaseUrl, silent);
    onTestFinished(() => database.destroy());
    const { rows } = await sql<{ readonly runs: number }>`
      select count(*)::int4 as runs from gas_tank_fills
      group by amount`.execute(database);
    const runs = new Set(rows.map((row) => row.runs));
    expect([rows.length, ...runs]).toEqual([callCount, 1]);
    const sums = await sql<{ readonly total: string }>`
      select sum(balance)::text as total from gas_tanks`.execute(database);
    const total = (callCount * (callCount + 1)) / 2;
    expect(sums.rows).toEqual([{ total: String(total) }]);

    // Each call still has its answer.
    let lost = 0;
    const ports = instances.ports();
    const again = async (first: number): Promise<void> => {
      const client = openClient(`http://127.0.0.1:${ports[first % 2]}`);
      for (let call = first; call < callCount; call += concurrency) {
        const answer = await fill(call, client.gasTanks);
        if (answer !== answers.get(call)) lost += 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, (_, i) => again(i)));
    console.log(
      `${callCount} calls with a key, ${proxy.countCuts()} cut connections, ${kills} kills: runs per key ${[...runs].join()}, lost answers ${lost}`,
    );
    expect(lost).toBe(0);
    expect(proxy.countCuts()).toBeGreaterThan(0);
  },
);
