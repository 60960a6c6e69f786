import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { keccak256, numberToHex, toHex } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { UnavailableError } from "../../../generated/errors.js";
import { openApi } from "../support/open-api.js";
import { openTestChain, testChainId } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const chain = await openTestChain();
const { fixtures, rpcUrl } = chain;
const wallet = "0x000000000000000000000000000000000000dead";

/**
 * Starts a node of the chain that changes the results of contract calls. An empty
 * one is not changed.
 */
async function openLiar(change: (result: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const init = { method: "POST", headers: { ...json }, body };
      const answer: unknown = await (await fetch(rpcUrl, init)).json();
      const { id, jsonrpc, result = "" } = Object(answer);
      const told = body.includes("eth_call") ? change(String(result)) : "";
      response.writeHead(200, json);
      response.end(
        JSON.stringify(told === "" ? answer : { id, jsonrpc, result: told }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const json = { "content-type": "application/json" };

/** Opens the API with a lying node and some honest ones. */
const openWith = (liar: string, honest: number) => {
  const others = Array.from(
    { length: honest },
    (_, node) => `${rpcUrl}/?node=${node}`,
  );
  const network = { ...chain.network, rpcUrls: [liar, ...others] };
  return openApi(database, [network]);
};

const quoteOf = async (api: Awaited<ReturnType<typeof openApi>>) => {
  const { swapQuote } = await api.getSwapQuote({
    userAddress: wallet,
    buyCurrencyAddress: fixtures.dollar,
    sellCurrencyAddress: fixtures.gold,
    buyAmount: "1000",
    chainId: testChainId,
    includeApprove: false,
  });
  return swapQuote;
};

const wordOf = (amount: bigint): string =>
  numberToHex(amount, { size: 32 }).slice(2);

test("a quote has the price that most nodes report", async () => {
  const honest = await quoteOf(await openApi(database, [chain.network]));
  const price = BigInt(honest.price);
  const liar = await openLiar((result) =>
    result.replaceAll(wordOf(price), wordOf(1000n * price)),
  );
  const { maxPrice } = await quoteOf(await openWith(liar, 2));
  expect(maxPrice).toBe(honest.maxPrice);
  await expect(quoteOf(await openWith(liar, 1))).rejects.toBeInstanceOf(
    UnavailableError,
  );
  // A single node is believed.
  const alone = await quoteOf(await openWith(liar, 0));
  expect(BigInt(alone.maxPrice)).toBeGreaterThan(900n * price);
});

test("a contract's signature is only valid if most nodes accept it", async () => {
  const liar = await openLiar(() => numberToHex(1, { size: 32 }));
  const claim = {
    ...{ chainId: "hardhat", walletAddress: fixtures.gold },
    ...{ digest: keccak256(toHex("anything")), signature: "0x1234" },
  };
  const api = await openWith(liar, 2);
  expect(await api.isValidSignature(claim)).toEqual({ isValid: false });
});
