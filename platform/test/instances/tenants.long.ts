import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { erc20Abi } from "viem";
import { expect, onTestFinished, test } from "vitest";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { TokenEvent } from "../../../generated/indexer/types.js";
import { listen } from "../../../test/support/listen.js";
import { addressesOf } from "../../announce/ready-file.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { openDatabase } from "../../database/pool.js";
import { deriveKeys } from "../../keys/master-secret.js";
import {
  createDataFolder,
  type Ready,
  startProcess,
} from "../start/start-platform.js";
import { openSiteForTest } from "../support/local-site.js";
import {
  createTestProject,
  headersOf,
  type TestProject,
} from "../support/serve-platform.js";
import { createDatabase, silent } from "../support/test-database.js";

const secret = "a secret that only this platform has";

/** How long a busy machine may stall, in milliseconds. */
const stallMs = 500;

/** Ends an attack. */
type End = () => void;

/**
 * Opens many connections that send the headers, a valid key, and one byte of
 * the body.
 */
async function holdConnections({ accessKey, baseUrl }: Ready): Promise<End> {
  const port = Number(new URL(baseUrl).port);
  const sockets = Array.from({ length: 210 }, () =>
    connect(port, "127.0.0.1").on("error", () => undefined),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) {
    const head = [
      "POST /rpc/Builder/ListAudiences HTTP/1.1",
      ...["host: localhost", "content-type: application/json"],
      ...["content-length: 100", `x-access-key: ${accessKey}`],
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Makes many calls to a chain whose node does not respond. */
async function askSilentNode(ready: Ready): Promise<End> {
  const { api } = clientOf(ready, ready);
  let isOver = false;
  const call = () =>
    api.isValidSignature.result({
      ...{ chainId: "polygon", walletAddress: ready.fixtures.wallet },
      ...{ digest: `0x${"2".repeat(64)}`, signature: "0x" },
    });
  const repeat = async (): Promise<void> => {
    while (!isOver) {
      await call();
      await sleep(500);
    }
  };
  void Promise.all(Array.from({ length: 230 }, repeat));
  expect(await call()).toMatchObject({ ok: false });
  return () => (isOver = true);
}

/**
 * Registers as many listeners as a project may have, with a URL that never
 * responds.
 */
async function addDeadListeners(ready: Ready): Promise<End> {
  const { indexer } = clientOf(ready, ready);
  const mute = await openSiteForTest(() => undefined);
  for (let count = 0; count < 100; count += 1) {
    await indexer.addWebhookListener({
      url: mute.url,
      filters: { contractAddresses: [ready.fixtures.gold], events: [] },
    });
  }
  return () => undefined;
}

/**
 * Starts a platform with a second project and a Polygon node that never
 * responds.
 */
async function openTenants() {
  const folder = createDataFolder();
  const silentNode = await listen(createServer());
  onTestFinished(silentNode.close);
  const config = join(folder, "config.yaml");
  const shipped = readFileSync("platform/config.yaml", "utf8");
  const changed = shipped.replace(
    /^( {2}polygon:\n(?: {4}.*\n)*? {4}rpcUrls:\n)(?: {6}- .*\n)+/mu,
    `$1      - ${silentNode.url}\n`,
  );
  expect(changed).not.toBe(shipped);
  writeFileSync(config, changed);
  const databaseUrl = await createDatabase();
  const { ready } = await startProcess(folder, {
    ...{ ALLOW_PRIVATE_TARGETS: "true", CONFIG: config, LOG_LEVEL: "error" },
    ...{ DATABASE_URL: databaseUrl, PLATFORM_SECRET: secret },
  });
  const { database } = openDatabase(databaseUrl, silent);
  onTestFinished(() => database.destroy());
  const other = await createTestProject({ database, keys: deriveKeys(secret) });
  return { ready, other };
}

function clientOf(
  { baseUrl, network }: Ready,
  credentials: Pick<TestProject, "accessKey" | "secret">,
): PlatformClient {
  return createPlatformClient({
    hosts: addressesOf(baseUrl),
    parameters: { network },
    credentials,
  });
}

/**
 * Measures the p99 latency of a project's successful calls, in milliseconds.
 */
async function measure({ baseUrl }: Ready, project: TestProject) {
  const times: number[] = [];
  const statuses = new Set<number>();
  const end = performance.now() + 4000;
  const repeat = async (): Promise<void> => {
    while (performance.now() < end) {
      const since = performance.now();
      const response = await fetch(`${baseUrl}/rpc/Builder/ListAudiences`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headersOf(project) },
        body: JSON.stringify({ projectId: project.id }),
      });
      await response.arrayBuffer();
      times.push(performance.now() - since);
      statuses.add(response.status);
      await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: 4 }, repeat));
  expect([...statuses]).toEqual([200]);
  times.sort((one, next) => one - next);
  return times[Math.floor(times.length * 0.99)] ?? Infinity;
}

/**
 * Returns a function that measures the median duration of nine notifications to
 * a project, in milliseconds.
 */
async function openNotified(ready: Ready, project: TestProject) {
  const { chainId, chainUrl, fixtures } = ready;
  const receiver = await openSiteForTest((_, response) => response.end());
  await clientOf(ready, project).indexer.addWebhookListener({
    url: receiver.url,
    filters: {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    },
  });
  const { user } = createFixtureAccounts();
  const wallet = openChainWallet(chainUrl, chainId, user);
  let transfers = 0;
  return async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      await wallet.writeContractSync({
        ...{ address: fixtures.gold, abi: erc20Abi },
        ...{ functionName: "transfer", args: [fixtures.other, 1n] },
      });
      transfers += 1;
      const since = performance.now();
      while (receiver.count() < transfers) await sleep(2);
      times.push(performance.now() - since);
    }
    times.sort((one, next) => one - next);
    return times[4] ?? Infinity;
  };
}

test("keeps one project's attacks from slowing down another project", async () => {
  const { other, ready } = await openTenants();
  const isNotified = await openNotified(ready, other);
  const call = () => measure(ready, other);
  const attacks = [
    ["bodies that never arrive", holdConnections, call],
    ["a node that never responds", askSilentNode, call],
    ["receivers that never respond", addDeadListeners, isNotified],
  ] as const;
  await call();
  await isNotified();
  for (const [name, attack, look] of attacks) {
    const quietMs = await look();
    const end = await attack(ready);
    const attackedMs = await look();
    end();
    const figures = [quietMs, attackedMs].map((ms) => ms.toFixed(1));
    console.log(`${name}: ${figures.join(" ms, attacked ")} ms`);
    expect(attackedMs).toBeLessThan(2 * quietMs + stallMs);
  }
});
