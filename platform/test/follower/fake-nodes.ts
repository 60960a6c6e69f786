import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  keccak256,
  numberToHex,
  toHex,
} from "viem";
import { onTestFinished } from "vitest";

import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Network } from "../../network/networks.js";

const chainId = 31337;

/** The contract of all logs. */
export const token: Address = `0x${"70".repeat(20)}`;

/** A log as a node reports it. */
interface FakeLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockHash: Hash;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hash;
  readonly transactionIndex: Hex;
}

/** A block as a node reports it, and its logs. */
interface FakeBlock {
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly number: Hex;
  readonly timestamp: Hex;
  readonly logsBloom: Hex;
  readonly transactions: readonly [];
  readonly logs: readonly FakeLog[];
}

/** A chain in memory. */
export type FakeChain = readonly FakeBlock[];

/**
 * Returns a chain with a block more. Its logs have the given data, and their topics
 * are the same.
 *
 * Input: the salt distinguishes the blocks of a fork.
 */
export function extend(
  chain: FakeChain,
  data: readonly number[] = [],
  salt = "",
): FakeChain {
  const parent = chain.at(-1);
  const parentHash = parent?.hash ?? keccak256("0x");
  const hash = keccak256(toHex(`${parentHash} ${salt} ${data.join()}`));
  return [...chain, withLogs(chain.length, hash, parentHash, data)];
}

/** Returns a chain with several blocks without logs more. */
export function extendBy(
  chain: FakeChain,
  count: number,
  salt = "",
): FakeChain {
  let longer = chain;
  for (let i = 0; i < count; i += 1) longer = extend(longer, [], salt);
  return longer;
}

/** Returns a chain in which a node reports other logs in a block. */
export function forge(
  chain: FakeChain,
  number: number,
  data: readonly number[],
): FakeChain {
  return chain.map((block, position) =>
    position === number
      ? withLogs(number, block.hash, block.parentHash, data)
      : block,
  );
}

function withLogs(
  number: number,
  hash: Hash,
  parentHash: Hash,
  data: readonly number[],
): FakeBlock {
  const place = { blockHash: hash, blockNumber: numberToHex(number) };
  const topics = [keccak256(toHex("Transfer"))];
  const logs = data.map((value, index) => ({
    ...{ ...place, address: token, topics, logIndex: numberToHex(index) },
    ...{ data: numberToHex(value, { size: 32 }), transactionHash: hash },
    transactionIndex: numberToHex(0),
  }));
  return {
    ...{ hash, parentHash, number: numberToHex(number), logs },
    ...{ timestamp: numberToHex(1000 + number), transactions: [] },
    logsBloom: bloomOf(logs.flatMap((log) => [log.address, ...log.topics])),
  };
}

/** The Bloom filter of a block, as the yellow paper defines it. */
function bloomOf(items: readonly Hex[]): Hex {
  const bloom = new Uint8Array(256);
  for (const item of items) {
    const hash = keccak256(item, "bytes");
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
      const index = 255 - (bit >> 3);
      bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
    }
  }
  return bytesToHex(bloom);
}

/** An HTTP server that answers as a node does. */
export interface FakeNode {
  readonly url: string;
  /** The chain that it reports. */
  chain: FakeChain;
  /** Whether it accepts connections, and whether it then responds. */
  state: "up" | "down" | "silent";
  /** The methods that it refuses. */
  refused: readonly string[];
  /** Whether it refuses batches, also of one request. */
  refusesBatches: boolean;
  /** The numbers of the blocks that it does not find by their number. */
  lacks: readonly number[];
  /** The first block in which it finds the code of contracts. */
  codeFrom: number;
  /** The methods that it was asked for. */
  readonly asked: string[];
}

/** Starts a node that runs until the test ends. */
export async function openFakeNode(chain: FakeChain): Promise<FakeNode> {
  const silenced = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (node.state === "down") return void request.destroy();
    if (node.state === "silent") return void silenced.add(response);
    void text(request).then((body) => {
      const question: unknown = JSON.parse(body);
      if (Array.isArray(question) && node.refusesBatches) {
        return void response.writeHead(429).end();
      }
      const answer = Array.isArray(question)
        ? question.map((each) => respond(node, each))
        : respond(node, question);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const node: FakeNode = {
    ...{ url: `http://127.0.0.1:${port}`, chain, state: "up" },
    ...{ refused: [], refusesBatches: false, lacks: [], codeFrom: 0 },
    asked: [],
  };
  return node;
}

function respond(node: FakeNode, question: unknown): unknown {
  const { id, method, params = [] } = Object(question);
  node.asked.push(String(method));
  const head = { jsonrpc: "2.0", id };
  if (node.refused.includes(String(method))) {
    return { ...head, error: { code: -32005, message: "limit exceeded" } };
  }
  return { ...head, result: resultOf(node, method, Object(params)) };
}

function resultOf(
  { chain, codeFrom, lacks }: FakeNode,
  method: unknown,
  [parameter, at]: readonly unknown[],
): unknown {
  switch (method) {
    case "eth_chainId":
      return numberToHex(chainId);
    case "eth_getBlockByNumber": {
      if (lacks.includes(Number(parameter))) return null;
      const position = parameter === "latest" ? -1 : Number(parameter);
      const block = chain.at(position);
      return block === undefined ? null : { ...block, logs: undefined };
    }
    case "eth_getCode":
      return Number(at) < codeFrom ? "0x" : "0x60";
    case "eth_getLogs": {
      const { address, blockHash, fromBlock, toBlock } = Object(parameter);
      const blocks =
        blockHash === undefined
          ? chain.slice(Number(fromBlock), Number(toBlock) + 1)
          : chain.filter(({ hash }) => hash === blockHash);
      const isAsked = address === undefined || address.includes(token);
      return isAsked ? blocks.flatMap(({ logs }) => logs) : [];
    }
    default:
      throw new Error(`unknown method ${String(method)}`);
  }
}

/** Returns the network of some nodes. */
export function networkOf(nodes: readonly FakeNode[]): Network {
  const settings = {
    ...{ handle: crypto.randomUUID(), chainId, nativeSymbol: "ETH" },
    ...{ rpcUrls: nodes.map(({ url }) => url), swap: null, marketplace: null },
    follow: { pollMs: 20, headsUrl: null },
  };
  const [network] = createNetworks([settings], openChainClient).all;
  if (network === undefined) throw new Error("there is no network");
  return network;
}
