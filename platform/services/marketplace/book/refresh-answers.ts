import { setTimeout as sleep } from "node:timers/promises";

import type { Hash } from "viem";

import type { Transaction } from "../../../database/schema.js";
import type { BlockConsumer } from "../../../follower/block.js";
import { Batch } from "../../../network/batch.js";
import type { Network } from "../../../network/networks.js";
import {
  type Call,
  findRecentCalls,
  removeUnwanted,
  writeAnswers,
} from "../../../network/shared-answers.js";

/** Refreshes a chain's shared results for each block that is followed. */
export interface AnswerRefresh extends Required<
  Pick<BlockConsumer, "prepare">
> {
  /** Stores the prepared results in the transaction that stores the block. */
  write(transaction: Transaction): Promise<void>;
}

/** The time limit for a refresh. */
const patienceMs = 1000;

/**
 * Creates a refresh that repeats recent calls at each block, for all instances.
 * The new results are stored together with the block.
 */
export function createAnswerRefresh(network: Network): AnswerRefresh {
  const { chainId } = network;
  let answers = new Map<Call, Hash>();
  return {
    prepare: async (database, blocks) => {
      answers = new Map();
      const last = blocks.at(-1);
      // Results for a block whose logs arrived late would replace newer ones.
      if (last?.processed !== undefined) return;
      const hash = last?.hash;
      const wanted = await findRecentCalls(database, chainId);
      if (hash === undefined || wanted.length === 0) return;
      // Do not use shared results, so that every call is made.
      const batch = new Batch({ ...network, answers: null });
      const questions = wanted.map(
        ({ to, data }) => [{ to, data }, batch.askBytes(to, data)] as const,
      );
      // A slow chain must not delay the block. Callers query the chain if there
      // are no shared results.
      const isAnswered = await Promise.race([
        batch.runAt(hash).then(
          () => true,
          () => false,
        ),
        sleep(patienceMs, false, { ref: false }),
      ]);
      if (!isAnswered) return;
      for (const [call, answer] of questions) {
        answers.set({ ...call, answer: answer() }, hash);
      }
    },
    write: async (transaction) => {
      await writeAnswers(transaction, chainId, answers, false);
      await removeUnwanted(transaction, chainId);
    },
  };
}
