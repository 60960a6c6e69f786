import {
  type Abi,
  type Address,
  type ContractFunctionName,
  decodeAbiParameters,
  decodeFunctionResult,
  type DecodeFunctionResultParameters,
  type DecodeFunctionResultReturnType,
  encodeDeployData,
  encodeFunctionData,
  type Hash,
  type EncodeFunctionDataParameters,
  type Hex,
  parseAbiParameters,
} from "viem";

import { UnavailableError } from "../../generated/errors.js";
import { batchReader } from "../chain/artifacts/batch-reader.js";
import type { Network } from "./networks.js";
import { readChain } from "./read-chain.js";
import type { Call } from "./shared-answers.js";

/** What an answer says; null: it is of another type. */
interface Decoded<Value> {
  readonly of: Hex;
  readonly value: Value | null;
}

/** What may be asked at once: each may use 200,000 units of gas. */
const callsAtOnce = 50;

/** Many questions to the contracts of a chain, which are asked together. */
export class Batch {
  readonly #network: Network;
  readonly #calls = new Map<string, Call>();

  constructor(network: Network) {
    this.#network = network;
  }

  /**
   * Adds a question, at most once, to a contract or what somebody says is one.
   *
   * Output: its answer, once the batch was run; null where the contract
   * refuses, or is none with such a function. Answers are short: what is beyond
   * 256 bytes is cut off.
   */
  ask<
    const abi extends Abi | readonly unknown[],
    name extends ContractFunctionName<abi>,
  >(
    to: Address,
    question: EncodeFunctionDataParameters<abi, name>,
  ): () => DecodeFunctionResultReturnType<abi, name> | null {
    const read = this.askBytes(to, encodeFunctionData(question));
    // The same members: TypeScript does not see it for types still open.
    const decode = (answer: Hex) =>
      decodeFunctionResult({
        ...question,
        data: answer,
      } as DecodeFunctionResultParameters<abi, name>);
    let decoded: Decoded<DecodeFunctionResultReturnType<abi, name>> | null =
      null;
    return () => {
      const answer = read();
      if (answer === null) return null;
      if (decoded?.of !== answer) {
        decoded = { of: answer, value: orNull(answer, decode) };
      }
      return decoded.value;
    };
  }

  /** Adds a question in bytes, whose answer is of no certain type. */
  askBytes(to: Address, data: Hex): () => Hex | null {
    const key = `${to.toLowerCase()} ${data}`;
    const call = this.#calls.get(key) ?? { to, data, answer: null };
    this.#calls.set(key, call);
    return () => call.answer;
  }

  /**
   * Asks all of them at the last block.
   *
   * Output: the time of that block, in seconds.
   * Errors: `Unavailable` when the chain does not answer.
   */
  run(): Promise<bigint> {
    return runAll(this.#network, [...this.#calls.values()], null);
  }

  /**
   * Asks all of them at a block, but for those that any instance has asked.
   *
   * Input: the hash of the block; null: the last.
   * Errors: `Unavailable` when the chain does not answer, or does not have such
   * a block.
   */
  async runAt(blockHash: Hash | null): Promise<void> {
    const all = [...this.#calls.values()];
    const { answers } = this.#network;
    if (blockHash === null || answers === null) {
      return void (await runAll(this.#network, all, blockHash));
    }
    const unknown = await answers.recall(blockHash, all);
    if (unknown.length === 0) return;
    await runAll(this.#network, unknown, blockHash);
    answers.share(blockHash, unknown);
  }

  /**
   * The same, but where a node does not have the block (of several behind one
   * address, some lag behind), at the last one that it has.
   *
   * Output: whether the answers are of the block.
   * Errors: `Unavailable` when the chain does not answer.
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

async function runAll(
  network: Network,
  calls: readonly Call[],
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

/** What is not of the type that the function has is no answer. */
function orNull<Answer>(
  answer: Hex,
  decode: (answer: Hex) => Answer,
): Answer | null {
  try {
    return decode(answer);
  } catch {
    return null;
  }
}

const answerTypes = parseAbiParameters([
  "uint256 time, Answer[] answers",
  "struct Answer { bool isAnswer; bytes data; }",
]);

/** Runs the reader as if it were deployed; it answers where code would be. */
async function runAtOnce(
  network: Network,
  calls: readonly Call[],
  blockHash: Hash | null,
): Promise<bigint> {
  const data = encodeDeployData({ ...batchReader, args: [calls] });
  const result = await readChain(network, (client) =>
    client.call(blockHash === null ? { data } : { data, blockHash }),
  );
  if (result?.data === undefined) {
    const cause = `the chain of ${network.handle} does not run the reader`;
    throw new UnavailableError({ cause });
  }
  const [time, answers] = decodeAbiParameters(answerTypes, result.data);
  for (const [index, call] of calls.entries()) {
    const answer = answers[index];
    call.answer = answer?.isAnswer === true ? answer.data : null;
  }
  return time;
}
