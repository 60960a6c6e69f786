import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { erc20Abi, zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";

import { UnavailableError } from "../../../generated/errors.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";

/**
 * The node's next response: its status and the members of its JSON-RPC
 * body.
 */
const next = { status: 200, members: {} };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    const isAboutChain = method === "eth_chainId";
    const status = isAboutChain ? 200 : next.status;
    const members = isAboutChain ? { result: "0xfcb" } : next.members;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...members }));
  });
});
let network: Network;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const settings = {
    handle: "odd",
    chainId: 4043,
    nativeSymbol: "ETH",
    rpcUrls: [`http://127.0.0.1:${port}/secret-in-the-path`],
    swap: null,
    marketplace: null,
  };
  const found = createNetworks([settings], openChainClient).find("ODD");
  if (found === null) throw new Error("the network was not found");
  network = found;
});
afterAll(() => {
  server.close();
});

const balance = (): Promise<bigint | null> =>
  readChain(network, (client) =>
    client.readContract({
      address: zeroAddress,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [zeroAddress],
    }),
  );

const error = (code: number, message: string) => ({ error: { code, message } });

test.each([
  ["a revert", error(3, "execution reverted")],
  ["a revert from an older node", error(-32000, "execution reverted")],
  [
    "a revert with another message",
    error(-32015, "VM execution error: Reverted"),
  ],
  ["an Anvil failure", error(-32603, "EVM error InvalidFEOpcode")],
  ["too little gas", error(-32000, "gas required exceeds allowance (3000000)")],
  ["an invalid instruction", error(-32000, "invalid opcode: INVALID")],
  ["an invalid jump", error(-32000, "invalid jump destination")],
  ["no contract", { result: "0x" }],
])("treats %s as a response", async (_, members) => {
  Object.assign(next, { status: 200, members });
  expect(await balance()).toBeNull();
});

test.each([
  ["an error inside the node", 200, error(-32603, "internal error")],
  ["a rate limit", 429, error(-32005, "too many requests")],
  ["a gateway without a node", 502, {}],
  ["a rejected key", 401, error(-32000, "unauthorized")],
  ["a node that lags behind", 200, error(-32000, "header not found")],
])(
  "treats %s as no response, and reveals no URL",
  async (_, status, members) => {
    Object.assign(next, { status, members });
    const failure = await balance().catch((reason: unknown) => reason);
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(JSON.stringify(failure)).not.toContain("secret-in-the-path");
  },
);
