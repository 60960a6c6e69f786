import { createServer } from "node:http";

import { expect, onTestFinished, test } from "vitest";

import { listen } from "../../http/listen.js";
import { openChainClient } from "../../network/chain-client.js";
import type { NetworkSettings } from "../../settings/read-network.js";
import { silent } from "../support/test-database.js";

const seaport = `0x${"5".repeat(40)}`;
const dollar = `0x${"d".repeat(40)}`;
const router = `0x${"2".repeat(40)}`;

/**
 * Opens a chain that has only a dollar contract. Its node fails the given
 * number of `eth_getCode` requests before it answers any.
 */
async function openNode(failures: number): Promise<NetworkSettings> {
  let left = failures;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += String(chunk)));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(text);
      const isCode = method === "eth_getCode";
      if (isCode && left > 0) {
        left -= 1;
        response.writeHead(500).end();
        return;
      }
      const result = !isCode
        ? "0x1f"
        : params[0].toLowerCase() === dollar
          ? "0x60"
          : "0x";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  const url = await listen(server, "127.0.0.1", 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    ...{ handle: "test", chainId: 31, nativeSymbol: "ETH", rpcUrls: [url] },
    swap: { router, v3: null, currencies: [] },
    marketplace: {
      ...{ seaport, dollar, startBlock: 1, nftCheckout: [], onRamp: [] },
    },
  };
}

test.each([
  ["at the first read", 0],
  ["once the chain answers", 8],
])(
  "logs every contract that is missing from the chain, %s",
  async (_, failures) => {
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(silent), {
      error: (facts: unknown) => errors.push(facts),
    });
    const client = openChainClient(await openNode(failures), { log });
    await expect
      .poll(async () => {
        await client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined);
        return errors;
      })
      .toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining([
        { setting: "networks.test.marketplace.seaport", address: seaport },
        { setting: "networks.test.swap.router", address: router },
      ]),
    );
  },
);
