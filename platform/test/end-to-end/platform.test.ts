import { afterAll, beforeAll, expect, test } from "vitest";

import { testApi } from "./api.js";
import { testIndexer } from "./indexer.js";
import { testMarketplace } from "./marketplace.js";
import { testMetadata } from "./metadata.js";
import { testRelayer } from "./relayer.js";
import { type RunningPlatform, startRunning } from "./running.js";

let started: RunningPlatform;

beforeAll(async () => {
  started = await startRunning();
});
afterAll(() => started.stop());

const running = (): RunningPlatform => started;

testApi(running);
testIndexer(running);
testMarketplace(running);
testMetadata(running);
testRelayer(running);

async function readMetrics(): Promise<string> {
  const response = await fetch(started.ready.metricsUrl);
  return response.text();
}

/**
 * Reads the services and methods that responded successfully, in lowercase, as
 * the platform counts them.
 */
async function readAnswered(): Promise<ReadonlySet<string>> {
  const text = await readMetrics();
  const counts =
    /^rpc_requests_total\{service="(\w+)",method="(\w+)",status="200"/gmu;
  return new Set(
    [...text.matchAll(counts)].map(([, service = "", method = ""]) =>
      `${service}.${method}`.toLowerCase(),
    ),
  );
}

test("calls every operation of the contract and gets a successful response", async () => {
  const operations = Object.entries(started.client).flatMap(
    ([service, methods]) =>
      Object.keys(methods).map((method) => `${service}.${method}`),
  );
  const answered = await readAnswered();
  const missing = operations.filter(
    (name) => !answered.has(name.toLowerCase()),
  );
  expect(missing).toEqual([]);
});

test("counts calls by the network in their path or message", async () => {
  const text = await readMetrics();
  const { network } = started.ready;
  for (const method of [
    ...["GetOrders", "AddGasSponsor", "AddWebhookListener", "GetSwapPrice"],
    ...["GetLinkedWallets", "GetTokenMetadata", "ReadTokenMetadata"],
  ]) {
    const counted = `method="${method}",status="200",error="",network="${network}"}`;
    expect(text).toContain(counted);
  }
  expect(text).toContain('"ListAudiences",status="200",error="",network=""}');
});
