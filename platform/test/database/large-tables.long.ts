import { existsSync, readFileSync } from "node:fs";

import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";

import { createSecret } from "../../keys/key-store.js";
import { removeOld } from "../../database/retention.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { createAudience } from "../../services/builder/audiences.js";
import { changeGasTank } from "../support/change-gas-tank.js";
import { openConsole } from "../console/open-console.js";
import { openMarket } from "../marketplace/open-market.js";
import { watchQueries } from "../support/query-plans.js";
import { createTestProject } from "../support/serve-platform.js";
import { testChainId as chainId } from "../support/start-chain.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../support/test-database.js";
import { callsOf, maxCalls } from "./every-method.js";
import { fillTables } from "./fill-tables.js";

const rows = Number(process.env["RIDLKIT_ROWS"] ?? 100_000);

const url = await createMigratedDatabase();
const database = await openTestDatabase(url);
const market = await openMarket({}, database);
afterAll(() => market.stop());
const { fixtures, network } = market.chain;
const { client: operator, platform } = openConsole(database, {
  networks: [network],
  rateLimit: { requestsPerSecond: 1e6, burst: 1e6 },
  addressRateLimit: { requestsPerSecond: 1e6, burst: 1e6 },
  listenersPerProject: 2 * maxCalls,
  sponsorsPerProject: 1000,
  allowPrivateTargets: true,
});

/** The table that calls may read in full. It has one row for each network. */
const readByCalls = ["followed_chains"];

/** Calls that add up all relays of all time. Operators request them. */
const readsAll = /getReconciliation/u;

/** Tables that the removal of old rows reads in full, every ten minutes. */
const readByRemoval = [
  // Full buckets are removed in batches.
  "rate_limits",
  // The sizes of all documents are added up once.
  "token_metadata",
  "contract_info",
  // It has one row for each node.
  "wrong_nodes",
];

/** Returns the scans of tables other than the given ones. */
function scansBeside(
  tables: readonly string[],
  scans: readonly string[],
): readonly string[] {
  return scans.filter(
    (scan) => !tables.some((table) => scan.startsWith(`${table}:`)),
  );
}

/**
 * The maximum CPU time of a call in milliseconds: twice as much as the slowest
 * one needs on a busy machine, including the test's own work.
 */
const maxCpuMs = 200;

/**
 * Returns the CPU time in milliseconds that this process and its connections to
 * the database have used so far. Unlike a duration, CPU time hardly depends on
 * what else the machine does. Without `/proc`, the database is not included.
 */
function readCpuMs(connections: readonly number[]): number {
  const { system, user } = process.cpuUsage();
  const files = connections.map((pid) => `/proc/${pid}/schedstat`);
  const nanoseconds = files
    .filter(existsSync)
    .map((file) => Number(readFileSync(file, "utf8").split(" ")[0]));
  const database = nanoseconds.reduce((sum, each) => sum + each, 0);
  return (user + system) / 1e3 + database / 1e6;
}

/**
 * Measures the 99th percentiles of a call's duration and CPU time, in
 * milliseconds.
 */
async function measure(
  call: (index: number) => Promise<unknown>,
): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  const { rows: connections } = await sql<{ readonly pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database()`.execute(database);
  const pids = connections.map(({ pid }) => pid);
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let index = 0; index < maxCalls; index += 1) {
    const [since, cpuSince] = [performance.now(), readCpuMs(pids)];
    await call(index);
    times.push(performance.now() - since);
    cpuTimes.push(readCpuMs(pids) - cpuSince);
  }
  return { wallMs: percentile(times), cpuMs: percentile(cpuTimes) };
}

function percentile(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(0.99 * sorted.length) - 1] ?? 0);
}

test(
  `finds rows by an index in every method with ${rows} rows in each table`,
  { timeout: 3_600_000 },
  async () => {
    const { store } = platform;
    const created = await createTestProject(store);
    const { id: projectId } = created;
    const tank = { projectId, chainId };
    await changeGasTank(database, tank, { amount: 10n ** 22n });
    const { guestbook: address } = fixtures;
    const sponsor = { ...tank, address, name: "", active: true };
    await saveGasSponsor(database, sponsor, 1);
    const audienceId = await createAudience(database, projectId, "Large", [0n]);
    const contract = `0x${"ab".repeat(20)}`;
    const seaport = fixtures.seaport.toLowerCase();
    const place = { ...tank, audienceId, contract, seaport };
    await fillTables(database, url, rows, place);
    // The project's first secret can expire while the tables are being filled.
    const { key: secret } = await createSecret(store, {
      projectId,
      scopes: ["read", "write"],
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    const project = { ...created, secret };
    const calls = await callsOf({
      ...{ platform, operator, project, place, fixtures },
      network: network.handle,
    });
    const findPlans = watchQueries();
    const figures: string[] = [];
    const slow: string[] = [];
    for (const [name, call] of calls) {
      if (readsAll.test(name)) continue;
      const first = await measure(call);
      // A garbage collection can fall into one call. A slow method stays slow.
      const isSlow = first.cpuMs >= maxCpuMs;
      const { wallMs, cpuMs } = isSlow ? await measure(call) : first;
      const figure = `${name}: ${wallMs} ms, CPU ${cpuMs} ms`;
      figures.push(figure);
      if (cpuMs >= maxCpuMs) slow.push(figure);
    }
    console.log(`p99 with ${rows} rows in each table:\n${figures.join("\n")}`);
    const { heaviest, mostRows, scans } = await findPlans(url);
    const findRemovals = watchQueries();
    await removeOld(database, undefined, {
      ...{ maxJobs: rows, maxEnded: rows, maxRelays: rows },
    });
    const removals = await findRemovals(url);
    expect(scansBeside(readByCalls, scans)).toEqual([]);
    expect(scansBeside(readByRemoval, removals.scans)).toEqual([]);
    // A full scan of an index is not listed as a scan, but reads many rows.
    expect(mostRows, heaviest).toBeLessThan(5000);
    expect(slow).toEqual([]);
  },
);
