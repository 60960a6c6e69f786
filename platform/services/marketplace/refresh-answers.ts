import { setTimeout as sleep } from "node:timers/promises";

import type { Transaction } from "kysely";
import type { Hash } from "viem";

import type { Tables } from "../../database/schema.js";
import type { BlockConsumer } from "../../follower/block.js";
import { Batch } from "../../network/batch.js";
import type { Network } from "../../network/networks.js";
import {
  type Call,
  findWantedCalls,
  removeUnwanted,
  writeAnswers,
} from "../../network/shared-answers.js";

/** Keeps the answers of a chain those of the last block that is followed. */
export interface AnswerRefresh extends Required<
  Pick<BlockConsumer, "prepare">
> {
  /** Stores what was prepared, in the transaction that stores the block. */
  write(transaction: Transaction<Tables>): Promise<void>;
}

/** Less than the lease of a follower, which another instance takes otherwise. */
const patienceMs = 1000;

/**
 * Asks at each block again what was asked recently, for all instances. The new
 * answers are stored together with the block.
 */
export function createAnswerRefresh(network: Network): AnswerRefresh {
  const { chainId } = network;
  let answers = new Map<Call, Hash>();
  return {
    prepare: async (database, blocks) => {
      answers = new Map();
      const hash = blocks.at(-1)?.hash;
      const wanted = await findWantedCalls(database, chainId);
      if (hash === undefined || wanted.length === 0) return;
      // All of them are to be asked, whatever is known.
      const batch = new Batch({ ...network, answers: null });
      const questions = wanted.map(
        ({ to, data }) => [{ to, data }, batch.askBytes(to, data)] as const,
      );
      // The block does not wait for a slow chain: those who need an answer ask.
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
