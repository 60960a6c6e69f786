import { createServer, type ServerResponse } from "node:http";

import { createPublicClient, zeroAddress } from "viem";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { UnavailableError } from "../../../generated/errors.js";
import { createNetworks, type Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { rpcTransport } from "../../network/rpc-transport.js";
import { silentNetworks } from "../support/start-chain.js";

const chainId = 4043;

/** The behavior of a node. */
const node = {
  chainId,
  /** Whether it rejects all requests. */
  isLimited: false,
  answer: (_: ServerResponse): void => undefined,
  sent: 0,
};
const found: number[] = [];

beforeEach(() => {
  Object.assign(node, { chainId, isLimited: false, sent: 0 });
  found.length = 0;
});

/** Opens a network with this node for the duration of the test. */
async function openNode(timeoutMs = 5000): Promise<Network> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += String(chunk)));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      if (node.isLimited) return void response.end(limitedAnswer);
      if (!text.includes("eth_chainId")) return node.answer(response);
      response.end(answerOf(`0x${node.chainId.toString(16)}`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const [settings] = silentNetworks;
  if (settings === undefined) throw new Error("no network is configured");
  const transport = rpcTransport({
    ...{ url: `http://127.0.0.1:${port}`, chainId, timeoutMs },
    onOtherChain: (other) => found.push(other),
  });
  const open = () => createPublicClient({ transport });
  const [network] = createNetworks([settings], open).all;
  if (network === undefined) throw new Error("the network is missing");
  return network;
}

const answerOf = (result: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, result });

const limitedAnswer = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1 },
  error: { code: -32005, message: "rate limit exceeded" },
});

/** Sends the start of a response, and continues while the client reads. */
function sendEndlessAnswer(response: ServerResponse): void {
  const megabyte = "00".repeat(512 * 1024);
  const send = (): void => {
    if (response.destroyed) return;
    node.sent += 1;
    response.write(megabyte, send);
  };
  response.write('{"jsonrpc":"2.0","id":1,"result":"0x', send);
}

const call = (network: Network) =>
  readChain(network, (client) => client.call({ to: zeroAddress }));
const readBalance = (network: Network) =>
  readChain(network, (client) => client.getBalance({ address: zeroAddress }));

test("treats a contract with an oversized response like one that reverts", async () => {
  const network = await openNode();
  node.answer = sendEndlessAnswer;
  expect(await call(network)).toBeNull();
  // The count includes data that is still in the system's buffers.
  expect(node.sent).toBeLessThan(20);
});

test("reads at most 64 MiB of any other response", async () => {
  const network = await openNode();
  node.answer = sendEndlessAnswer;
  await expect(readBalance(network)).rejects.toBeInstanceOf(UnavailableError);
  // The call is tried twice.
  expect(node.sent).toBeLessThan(2 * (64 + 20));
});

test("applies the time limit to a response that starts but does not end", async () => {
  const network = await openNode(300);
  node.answer = (response) => void response.write('{"jsonrpc":"2.0",');
  await expect(call(network)).rejects.toBeInstanceOf(UnavailableError);
});

test("rejects a node for another chain until it serves the correct one", async () => {
  const network = await openNode();
  node.answer = (response) => void response.end(answerOf("0x7"));
  node.chainId = 1;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(readBalance(network)).rejects.toMatchObject({
      cause: expect.stringContaining("its node belongs to chain 1"),
    });
  }
  expect(found).toEqual([1]);
  node.chainId = chainId;
  expect(await readBalance(network)).toBe(7n);
});

test("verifies the chain ID again after the node has been unreachable", async () => {
  const network = await openNode();
  node.answer = (response) => void response.end(answerOf("0x7"));
  expect(await readBalance(network)).toBe(7n);
  node.answer = (response) => response.destroy();
  await expect(readBalance(network)).rejects.toBeInstanceOf(UnavailableError);
  node.answer = (response) => void response.end(answerOf("0x7"));
  node.chainId = 2;
  await expect(readBalance(network)).rejects.toBeInstanceOf(UnavailableError);
  expect(found).toEqual([2]);
});

test("uses a node that first rejected the request for its chain ID", async () => {
  const network = await openNode();
  node.answer = (response) => void response.end(answerOf("0x7"));
  node.isLimited = true;
  await expect(readBalance(network)).rejects.toBeInstanceOf(UnavailableError);
  node.isLimited = false;
  expect(await readBalance(network)).toBe(7n);
});

test("a malformed answer is a failure of the node", async () => {
  const network = await openNode();
  const malformed = ['{"toString":1}', "null", '"0x"', '"7"', "[]", "7"];
  for (const result of malformed) {
    const envelope = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
    node.answer = (response) => void response.end(envelope);
    await expect(readBalance(network)).rejects.toMatchObject({
      cause: expect.stringMatching(
        /sent a malformed answer to eth_getBalance$/u,
      ),
    });
  }
  for (const envelope of ["null", "[]", "7", "{}", '"text"']) {
    node.answer = (response) => void response.end(envelope);
    await expect(readBalance(network)).rejects.toBeInstanceOf(UnavailableError);
  }
});
