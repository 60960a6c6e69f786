import type { Kysely } from "kysely";
import { expect, test } from "vitest";

import type { Tables } from "../../database/schema.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const databaseBehindProxy = await openTestDatabase();

/**
 * Opens a platform on which an address may read twice, and then once in 100 seconds.
 */
async function openHost(
  database: Kysely<Tables>,
  proxyHeader: string | null = null,
) {
  const addressRateLimit = { requestsPerSecond: 0.01, burst: 2 };
  const platform = servePlatform(database, { addressRateLimit });
  const { metrics, store } = platform;
  const { baseUrl } = await hostPlatform(platform, proxyHeader);
  const read = (headers: Readonly<Record<string, string>>) =>
    // Detecting an unknown network needs no request to a chain.
    fetch(`${baseUrl}/tokens/nowhere/0x${"12".repeat(20)}`, { headers });
  const statuses = async (headers: readonly Record<string, string>[]) => {
    const answers = await Promise.all(headers.map(read));
    return answers.map(({ status }) => status).sort();
  };
  return { baseUrl, metrics, read, statuses, store };
}

test("tells a caller without a key when to retry after too many reads", async () => {
  const { baseUrl, metrics, read, statuses, store } = await openHost(database);
  // Client headers are ignored.
  const claims = [
    { "x-forwarded-for": "192.0.2.1" },
    { "x-forwarded-for": "192.0.2.2" },
    { "x-client-address": "192.0.2.3" },
  ];
  expect(await statuses(claims)).toEqual([400, 400, 429]);
  const refused = await read({});
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({
    error: "WebrpcRequestFailed",
    code: -1,
    status: 429,
    cause: "too many requests from this address",
  });
  expect(await metrics.registry.metrics()).toMatch(
    /rpc_requests_total\{.*status="429".*\} 2\n/u,
  );
  // Calls with a key use the limit of that key.
  const { id, ...keys } = await createTestProject(store);
  const answer = await fetch(`${baseUrl}/rpc/Builder/ListAudiences`, {
    method: "POST",
    headers: { ...headersOf(keys), "content-type": "application/json" },
    body: JSON.stringify({ projectId: id }),
  });
  expect(answer.status).toBe(200);
});

test("uses the address that the proxy reports", async () => {
  const { statuses } = await openHost(databaseBehindProxy, "x-forwarded-for");
  const from = (value: string) => ({ "x-forwarded-for": value });
  const ofOne = [
    "192.0.2.1",
    "8.8.8.8, 192.0.2.1:5678",
    "::1,::ffff:192.0.2.1",
  ];
  expect(await statuses(ofOne.map(from))).toEqual([400, 400, 429]);
  const ofOneNetwork = [
    "2001:db8::1",
    "[2001:DB8:0:0:7::]:443",
    "2001:db8::2:3:4:5",
  ];
  expect(await statuses(ofOneNetwork.map(from))).toEqual([400, 400, 429]);
  const others = ["192.0.2.9", "2001:db8:1::1", "2001:db8:0:1::1", "::1"];
  expect(await statuses(others.map(from))).toEqual([400, 400, 400, 400]);
  // If the proxy reports no address, its own address counts.
  expect(await statuses([from("unknown"), {}, from("")])).toEqual([
    ...[400, 400, 429],
  ]);
});

test("rejects a throttled key before it queries the database", async () => {
  const rateLimit = { requestsPerSecond: 0.01, burst: 1 };
  const { call, store } = servePlatform(database, { rateLimit });
  const project = await createTestProject(store);
  const list = () =>
    call("/rpc/Builder/ListAudiences", headersOf(project), {
      projectId: project.id,
    });
  expect((await list()).status).toBe(200);
  const renamed = database.schema
    .alterTable("access_keys")
    .renameTo("access_keys_away");
  await renamed.execute();
  expect((await list()).status).toBe(429);
});
