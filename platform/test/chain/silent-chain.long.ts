import { createServer } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { openMuteProxy } from "../support/mute-proxy.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
  servePlatform,
} from "../support/serve-platform.js";
import { silentNetworks } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

/**
 * Opens a node that returns its chain ID and reports a revert for anything
 * else. Output: its port.
 */
async function openNode(chainId: number): Promise<number> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += String(chunk)));
    request.on("end", () => {
      const { id, method } = JSON.parse(text);
      const result = `0x${chainId.toString(16)}`;
      const error = { code: 3, message: "execution reverted" };
      const members = method === "eth_chainId" ? { result } : { error };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...members }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

test.each([1, 60])(
  "detects that a chain does not respond, and does not block calls that do not need the chain (callers: %i)",
  async (callers) => {
    const [settings] = silentNetworks;
    if (settings === undefined) throw new Error("no network is configured");
    const { chainId, handle } = settings;
    const proxy = await openMuteProxy(await openNode(chainId));
    const rpcUrls = [`http://127.0.0.1:${proxy.port}`];
    const platform = servePlatform(database, {
      networks: [{ ...settings, rpcUrls }],
      defaultNetwork: handle,
      concurrency: {
        ...{ running: 20, runningPerCaller: 20, bodiesPerCaller: 500 },
        ...{ waiting: 100, waitMs: 60_000 },
      },
    });
    const { id: projectId, ...keys } = await createTestProject(platform.store);
    const headers = headersOf(keys);
    const host = await hostPlatform(platform);
    const ask = () =>
      platform.call("/rpc/API/IsValidSignature", headers, {
        ...{ chainId: handle, walletAddress: `0x${"1".repeat(40)}` },
        ...{ digest: `0x${"2".repeat(64)}`, signature: "0x" },
      });
    const readiness = async (): Promise<unknown> =>
      (await fetch(`${host.baseUrl}/readyz`)).json();
    expect((await ask()).body).toEqual({ isValid: false });

    proxy.setMute(true);
    const since = performance.now();
    const answers = Promise.all(Array.from({ length: callers }, ask));
    const other = await platform.call("/rpc/Builder/ListAudiences", headers, {
      projectId,
    });
    expect(other.status).toBe(200);
    // This takes 2 s on an idle machine, but at least 30 s without the circuit
    // breaker.
    expect(performance.now() - since).toBeLessThan(9000);
    const cause = `the chain of ${handle} does not respond`;
    expect((await answers).map(({ body }) => body["cause"])).toEqual(
      Array(callers).fill(cause),
    );
    expect(await readiness()).toEqual({
      status: "ready",
      silentNetworks: [handle],
    });
    const metrics = await (await fetch(host.metricsUrl)).text();
    expect(metrics).toContain(`network_silent{network="${handle}"} 1\n`);

    proxy.setMute(false);
    await expect.poll(readiness).toEqual({ status: "ready" });
    expect((await ask()).body).toEqual({ isValid: false });
  },
);
