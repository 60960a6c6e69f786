import {
  type Abi,
  type AbiStateMutability,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  concatHex,
  decodeAbiParameters,
  decodeFunctionResult,
  type DecodeFunctionResultReturnType,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAbiItem,
  type Hash,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
} from "viem";

import { UnavailableError } from "../../generated/errors.js";
import { batchReader } from "../chain/artifacts/batch-reader.js";
import { orNull } from "../process/failures/or-null.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";

/** A contract call and the bytes of its result. */
interface BatchedCall {
  readonly to: Address;
  readonly data: Hex;
  /** Null if the call reverted or has not been made yet. */
  answer: Hex | null;
}

/**
 * A decoded result. Its value is null if the contract returned a different
 * type.
 */
interface Decoded<Value> {
  readonly of: Hex;
  readonly value: Value | null;
}

/**
 * The maximum number of calls per request. Each can use 200,000 units of gas,
 * or 1,000,000 for a quote from Uniswap V3.
 */
const callsAtOnce = 50;

/** Combines many contract calls on a chain into a few requests. */
export class Batch {
  readonly #network: Network;
  readonly #calls = new Map<string, BatchedCall>();

  constructor(network: Network) {
    this.#network = network;
  }

  /**
   * Adds a call to an address that may not be a contract. Identical calls are
   * made only once.
   *
   * Returns a function that returns the result once the batch has run. It
   * returns null if the contract reverts, has no such function, or returns a
   * different type. Results are truncated to 256 bytes.
   */
  ask<
    const abi extends Abi,
    name extends ContractFunctionName<abi>,
    const args extends readonly unknown[] &
      ContractFunctionArgs<abi, AbiStateMutability, name>,
  >(
    to: Address,
    abi: abi,
    functionName: name,
    ...[args]: readonly [] extends args ? [args?: args] : [args: args]
  ): () => DecodeFunctionResultReturnType<abi, name> | null {
    const read = this.askBytes(to, encodeCall(abi, functionName, args));
    // TypeScript cannot infer the type for generic contracts.
    const decode = (data: Hex) =>
      decodeFunctionResult<Abi, string, readonly unknown[]>({
        ...{ abi, functionName, args, data },
      }) as DecodeFunctionResultReturnType<abi, name>;
    let decoded: Decoded<DecodeFunctionResultReturnType<abi, name>> | null =
      null;
    return () => {
      const answer = read();
      if (answer === null) return null;
      if (decoded?.of !== answer) {
        decoded = { of: answer, value: orNull(() => decode(answer)) };
      }
      return decoded.value;
    };
  }

  /** Adds an encoded call whose result is not decoded. */
  askBytes(to: Address, data: Hex): () => Hex | null {
    const key = `${to.toLowerCase()} ${data}`;
    const call = this.#calls.get(key) ?? { to, data, answer: null };
    this.#calls.set(key, call);
    return () => call.answer;
  }

  /**
   * Makes all calls at the last block.
   *
   * Returns the time of that block, in seconds.
   * Errors: `Unavailable` if the chain does not respond or cannot run the batch
   * reader.
   */
  run(): Promise<bigint> {
    return runAll(this.#network, [...this.#calls.values()], null);
  }

  /**
   * Makes all calls at a block.
   *
   * Input: the hash of the block, or null for the last one.
   * Errors: `Unavailable` if the chain does not respond, does not have the
   * block, or cannot run the batch reader.
   */
  async runAt(blockHash: Hash | null): Promise<void> {
    await runAll(this.#network, [...this.#calls.values()], blockHash);
  }

  /**
   * Makes all calls at a block, or at the node's last block if the node does
   * not have that block. If several nodes share a URL, some of them can lag
   * behind.
   *
   * Returns whether the results are from that block.
   * Errors: `Unavailable` if the chain does not respond or cannot run the batch
   * reader.
   */
  async runNear(blockHash: Hash): Promise<boolean> {
    try {
      await this.runAt(blockHash);
      return true;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      await this.run();
      return false;
    }
  }
}

/** The selectors of functions, because hashing takes longer than encoding. */
const selectors = new WeakMap<object, Hex>();

/** Returns the same data as viem's `encodeFunctionData`. */
function encodeCall(
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
): Hex {
  const item = getAbiItem({ abi, args, name: functionName });
  if (item?.type !== "function") {
    return encodeFunctionData({ abi, functionName, args });
  }
  const selector = selectors.get(item) ?? toFunctionSelector(item);
  selectors.set(item, selector);
  return concatHex([selector, encodeAbiParameters(item.inputs, args)]);
}

async function runAll(
  network: Network,
  calls: readonly BatchedCall[],
  blockHash: Hash | null,
): Promise<bigint> {
  const times = [];
  for (let from = 0; from === 0 || from < calls.length; from += callsAtOnce) {
    const part = calls.slice(from, from + callsAtOnce);
    times.push(runAtOnce(network, part, blockHash));
  }
  const [time = 0n] = await Promise.all(times);
  return time;
}

const answerTypes = parseAbiParameters([
  "uint256 time, Answer[] answers",
  "struct Answer { bool isAnswer; bytes data; }",
]);

/**
 * Runs the batch reader as deployment code, which returns the results instead
 * of a contract's code.
 */
async function runAtOnce(
  network: Network,
  calls: readonly BatchedCall[],
  blockHash: Hash | null,
): Promise<bigint> {
  const data = encodeDeployData({ ...batchReader, args: [calls] });
  const result = await readChain(network, async (client) => {
    const question = blockHash === null ? { data } : { data, blockHash };
    const { data: answer } = await client.call(question);
    return answer && decodeAbiParameters(answerTypes, answer);
  });
  if (!result) {
    const cause = `the chain of ${network.handle} cannot run the batch reader`;
    throw new UnavailableError({ cause });
  }
  const [time, answers] = result;
  for (const [index, call] of calls.entries()) {
    const answer = answers[index];
    call.answer = answer?.isAnswer === true ? answer.data : null;
  }
  return time;
}
