import { afterAll, expect, test } from "vitest";

import { createSecret } from "../../keys/key-store.js";
import { removeOld } from "../../database/retention.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { createAudience } from "../../services/builder/audiences.js";
import { fillGasTank } from "../../services/relayer/gas-tanks.js";
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

/**
 * Tables that may be read in full. One is small, and the other is scanned on
 * purpose.
 */
const readWhole = [
  // One row for each network.
  "followed_chains",
  // Full buckets are removed in batches every ten minutes.
  "rate_limits",
];

/** The 99th percentile of durations, in milliseconds. */
async function measure(
  call: (index: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < maxCalls; index += 1) {
    const since = performance.now();
    await call(index);
    times.push(performance.now() - since);
  }
  times.sort((one, other) => one - other);
  return Math.round(times[Math.floor(0.99 * maxCalls) - 1] ?? 0);
}

test(
  `finds rows by an index in every method with ${rows} rows in each table`,
  { timeout: 3_600_000 },
  async () => {
    const { store } = platform;
    const created = await createTestProject(store);
    const { id: projectId } = created;
    const tank = { projectId, chainId };
    await fillGasTank(database, tank, 10n ** 22n);
    const { guestbook: address } = fixtures;
    const sponsor = { ...tank, address, name: "", active: true };
    await saveGasSponsor(database, sponsor, 1);
    const audienceId = await createAudience(database, projectId, "Large", [0n]);
    const contract = `0x${"ab".repeat(20)}`;
    const seaport = fixtures.seaport.toLowerCase();
    const place = { ...tank, audienceId, contract, seaport };
    await fillTables(database, url, rows, place);
    // Filling the tables outlasts the validity of the first secret.
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
    const figures: Record<string, number> = {};
    for (const [name, call] of calls) figures[name] = await measure(call);
    await removeOld(database, undefined, { maxEnded: rows });
    const { heaviest, mostRows, scans } = await findPlans(url);
    console.log(`p99 with ${rows} rows of each table, in ms:`, figures);
    const isExpected = (scan: string): boolean =>
      readWhole.some((table) => scan.startsWith(`${table}:`));
    expect(scans.filter((scan) => !isExpected(scan))).toEqual([]);
    // A full index scan does not count as an index lookup.
    expect(mostRows, heaviest).toBeLessThan(5000);
    // A busy machine may stall for a while.
    const slow = Object.entries(figures).filter(([, ms]) => ms >= 1000);
    expect(slow).toEqual([]);
  },
);
