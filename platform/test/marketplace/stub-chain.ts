import {
  createPublicClient,
  custom,
  encodeAbiParameters,
  type Hash,
  type Hex,
  numberToHex,
  parseAbiParameters,
} from "viem";

import { createNetworks, type Network } from "../../network/networks.js";
import { silentNetworks } from "../support/start-chain.js";

export const addressOf = (number: number): Hex =>
  numberToHex(number, { size: 20 });
export const hashOf = (number: number): Hash =>
  numberToHex(number, { size: 32 });

/** A log in a block. */
interface StubLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

/** A chain that answers all calls with a number. */
export interface StubChain {
  readonly network: Network;
  readonly state: {
    /** The number of the last block, which is also part of its hash. */
    block: number;
    /** Added to block numbers in hashes. A new value simulates a fork. */
    fork: number;
    answer: bigint;
    /**
     * The logs of a block by number, or null if the node does not return them.
     */
    logs: Map<number, readonly StubLog[]> | null;
    /** Hashes of blocks whose state the node lacks. */
    lacks: Hash[];
  };
  /**
   * Counts requests for the last block, and records the blocks of the calls.
   */
  readonly asked: { heads: number; readonly calls: (Hash | "latest")[] };
}

interface Question {
  readonly method: string;
  readonly params: readonly [unknown, unknown];
}

const answerTypes = parseAbiParameters([
  "uint256 time, Answer[] answers",
  "struct Answer { bool isAnswer; bytes data; }",
]);

/** Encodes the same result for each call in a batch. */
export function answerCalls(data: Hex, time = 0n): Hex {
  const answers = Array(50).fill({ isAnswer: true, data });
  return encodeAbiParameters(answerTypes, [time, answers]);
}

/** Creates a chain with one block and no logs. */
export function createStubChain(): StubChain {
  const state: StubChain["state"] = {
    ...{ block: 1, fork: 0, answer: 7n },
    ...{ logs: new Map(), lacks: [] },
  };
  const asked: StubChain["asked"] = { heads: 0, calls: [] };
  const blockAt = (number: number) => ({
    number: numberToHex(number),
    hash: hashOf(number + state.fork),
    parentHash: hashOf(number - 1 + state.fork),
    timestamp: numberToHex(number),
  });
  const answerCall = (at: unknown): Hex => {
    const blockHash: Hash | "latest" = Object(at).blockHash ?? "latest";
    if (blockHash !== "latest" && state.lacks.includes(blockHash)) {
      throw Object.assign(new Error("unknown block"), { code: -32000 });
    }
    asked.calls.push(blockHash);
    const data = numberToHex(state.answer, { size: 32 });
    return answerCalls(data, BigInt(state.block));
  };
  const logsOf = (filter: unknown) => {
    if (state.logs === null) throw new Error("no logs");
    const { blockHash } = Object(filter);
    const logs = state.logs.get(Number(blockHash) - state.fork) ?? [];
    return logs.map((log, index) => ({
      ...{ ...log, data: "0x", transactionHash: hashOf(1) },
      ...{ transactionIndex: "0x0", logIndex: numberToHex(index), blockHash },
    }));
  };
  const request = async ({ method, params }: Question): Promise<unknown> => {
    await Promise.resolve();
    if (method === "eth_call") return answerCall(params[1]);
    if (method === "eth_getLogs") return logsOf(params[0]);
    const [tag] = params;
    if (tag === "latest") asked.heads += 1;
    return blockAt(tag === "latest" ? state.block : Number(tag));
  };
  const transport = custom({ request }, { retryCount: 0 });
  const [plain] = silentNetworks;
  if (plain === undefined) throw new Error("no network is configured");
  const marketplace = {
    ...{ seaport: addressOf(1), startBlock: 0, dollar: addressOf(2) },
    ...{ nftCheckout: [], onRamp: [] },
  };
  const { find } = createNetworks([{ ...plain, marketplace }], () =>
    createPublicClient({ transport }),
  );
  const network = find(plain.handle);
  if (network === null) throw new Error("the network is missing");
  return { state, asked, network };
}
