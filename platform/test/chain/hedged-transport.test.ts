import { createPublicClient, custom, RpcRequestError } from "viem";
import { expect, test, vi } from "vitest";

import { openChainClient } from "../../network/chain-client.js";
import { hedgedTransport } from "../../network/hedged-transport.js";
import { openSiteForTest } from "../support/local-site.js";
import { silentNetworks } from "../support/start-chain.js";

type Answer = () => Promise<string>;

const down: Answer = () => Promise.reject(new Error("down"));
const silent: Answer = () => new Promise(() => undefined);
const reverts: Answer = () => {
  const error = { code: 3, message: "execution reverted" };
  return Promise.reject(new RpcRequestError({ body: {}, error, url: "" }));
};
const answers = (block: number): Answer => {
  return () => Promise.resolve(`0x${block.toString(16)}`);
};

/** Opens a client for nodes that respond as specified. */
function open(...nodes: Answer[]) {
  const requests = nodes.map((answer) => vi.fn(answer));
  const transport = hedgedTransport(
    requests.map((request) => custom({ request }, { retryCount: 0 })),
  );
  const client = createPublicClient({ transport, cacheTime: 0 });
  const counts = (): readonly number[] =>
    requests.map(({ mock }) => mock.calls.length);
  return { read: () => client.getBlockNumber(), counts, requests };
}

test("queries only the first node while it responds", async () => {
  const { counts, read } = open(answers(1), answers(2));
  expect([await read(), await read()]).toEqual([1n, 1n]);
  expect(counts()).toEqual([2, 0]);
});

test("queries the next node if one fails, and moves the failed node to the end", async () => {
  const { counts, read } = open(down, answers(2), answers(3));
  expect([await read(), await read()]).toEqual([2n, 2n]);
  expect(counts()).toEqual([1, 2, 0]);
});

test("also queries the next node if one does not respond", async () => {
  const { counts, read } = open(silent, down, answers(3));
  expect(await read()).toBe(3n);
  expect(counts()).toEqual([1, 1, 1]);
  expect(await read()).toBe(3n);
  expect(counts()).toEqual([1, 1, 2]);
});

test("uses a late response if the next node fails", async () => {
  let give: (block: string) => void = () => undefined;
  const late = new Promise<string>((resolve) => (give = resolve));
  const { read, requests } = open(() => late, down);
  const reading = read();
  await expect.poll(() => requests[1]?.mock.calls.length).toBe(1);
  give("0x5");
  expect(await reading).toBe(5n);
});

test("queries a failed node again after a while", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  try {
    const { read, requests } = open(down, answers(2));
    expect(await read()).toBe(2n);
    requests[0]?.mockImplementation(answers(1));
    now.mockReturnValue(10_999);
    expect(await read()).toBe(2n);
    now.mockReturnValue(11_001);
    expect(await read()).toBe(1n);
  } finally {
    now.mockRestore();
  }
});

test("does not send a reverted call to another node", async () => {
  const { counts, read } = open(reverts, answers(2));
  await expect(read()).rejects.toThrow("execution reverted");
  await expect(read()).rejects.toThrow("execution reverted");
  expect(counts()).toEqual([2, 0]);
});

test("fails when all nodes fail", async () => {
  const { counts, read } = open(down, down);
  await expect(read()).rejects.toThrow("down");
  expect(counts()).toEqual([1, 1]);
});

test("verifies a node's chain ID once rather than for each request", async () => {
  const [settings] = silentNetworks;
  if (settings === undefined) throw new Error("no network is configured");
  const { chainId } = settings;
  const methods: string[] = [];
  const site = await openSiteForTest((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += String(chunk)));
    request.on("end", () => {
      const { id, method } = JSON.parse(text);
      methods.push(method);
      const result = method === "eth_chainId" ? chainId : 7;
      const answer = { jsonrpc: "2.0", id, result: `0x${result.toString(16)}` };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
  });
  const client = openChainClient({ ...settings, rpcUrls: [site.url] });
  const read = () => client.getBlockNumber({ cacheTime: 0 });
  expect([await read(), await read(), await read()]).toEqual([7n, 7n, 7n]);
  const { length } = methods.filter((method) => method === "eth_chainId");
  expect([length, methods.length]).toEqual([1, 4]);
});
