import pg from "pg";
import { createPublicClient, custom, zeroAddress } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { createMigratedDatabase, silent } from "../support/test-database.js";

const url = await createMigratedDatabase();

/** Serves the platform with connections of its own and without a chain. */
function serve() {
  const { count, database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  const request = () => Promise.reject(new Error("there is no chain"));
  const { call, store } = servePlatform(database, {}, () =>
    createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
  );
  const used = (): number => count().total - count().idle;
  return { call, store, used };
}

/** Locks a table, so that queries keep their connections. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  let ending: Promise<void> | null = null;
  const unlock = (): Promise<void> => (ending ??= client.end());
  onTestFinished(unlock);
  return unlock;
}

/** Returns different addresses. */
function addresses(length: number, first: number): readonly string[] {
  return Array.from(
    { length },
    (_, i) => `0x${(first + i).toString(16).padStart(40, "0")}`,
  );
}

/** Calls that use many connections. Input: the number of earlier calls. */
const calls = {
  GetTokenMetadataBatch: (index: number) => ({
    path: "/rpc/Metadata/GetTokenMetadataBatch",
    headers: {},
    message: {
      chainID: "polygon",
      contractTokenMap: Object.fromEntries(
        addresses(50, 1 + index * 50).map((each) => [
          each,
          ["1", "2", "3", "4", "5"],
        ]),
      ),
    },
  }),
  GetContractInfoBatch: (index: number) => ({
    path: "/rpc/Metadata/GetContractInfoBatch",
    headers: {},
    message: {
      chainID: "polygon",
      contractAddresses: addresses(50, 10_000 + index * 50),
    },
  }),
  Relay: (index: number) => ({
    path: "/polygon/rpc/Relaying/Relay",
    headers: { "idempotency-key": `"call ${index}"` },
    message: {
      ...{ wallet: zeroAddress, to: zeroAddress, value: "0", data: "0x" },
      ...{ nonce: "0", deadline: 1, signature: "0x" },
    },
  }),
};

test.each([
  ["token_metadata", "GetTokenMetadataBatch"],
  ["contract_info", "GetTokenMetadataBatch"],
  ["contract_info", "GetContractInfoBatch"],
  ["idempotent_answers", "Relay"],
] as const)(
  "while %s is locked, calls of %s leave connections to other projects",
  async (table, method) => {
    const { call, store, used } = serve();
    const busy = await createTestProject(store);
    const { id: projectId, ...keys } = await createTestProject(store);
    const list = () =>
      call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId });
    expect((await list()).status).toBe(200);
    const unlock = await lockTable(table);
    const running = Array.from({ length: 12 }, (_, index) => {
      const { headers, message, path } = calls[method](index);
      return call(path, { ...headersOf(busy), ...headers }, message);
    });
    await expect.poll(used).toBeGreaterThanOrEqual(3);
    expect((await list()).status).toBe(200);
    // At most those of the caller, and one for what callers share.
    expect(used()).toBeLessThanOrEqual(4);
    await unlock();
    await Promise.all(running);
  },
);
