import { expect, test } from "vitest";

import { requireHead } from "../../network/moment.js";
import {
  type Call,
  openSharedAnswers,
  writeAnswers,
} from "../../network/shared-answers.js";
import { createAnswerRefresh } from "../../services/marketplace/book/refresh-answers.js";
import { openTestDatabase } from "../support/test-database.js";
import { addressOf, createStubChain, hashOf } from "./stub-chain.js";

const database = await openTestDatabase();

/** Opens a chain with a stored answer that was used at its first block. */
async function open() {
  const { network, state } = createStubChain();
  const { chainId } = network;
  const call: Call = { to: addressOf(1), data: "0x01", answer: "0x07" };
  await writeAnswers(database, chainId, new Map([[call, hashOf(1)]]), true);
  const refresh = createAnswerRefresh(network);
  /**
   * Follows one more block. Output: the known answer for that block, or null.
   */
  const follow = async () => {
    state.block += 1;
    const head = await requireHead(network);
    await refresh.prepare(database, [{ ...head, logs: [], isComplete: true }]);
    await database
      .transaction()
      .execute((transaction) => refresh.write(transaction));
    const asked = { ...call, answer: null };
    const { recall } = openSharedAnswers(database, chainId);
    const unknown = await recall(head.hash, [asked]);
    return unknown.length === 0 ? Number(asked.answer) : null;
  };
  return { follow, network, state };
}

test("repeats recently used calls at each block", async () => {
  const { follow, state } = await open();
  state.answer = 8n;
  expect(await follow()).toBe(8);
  state.answer = 9n;
  expect(await follow()).toBe(9);
});

test("follows a block even if the chain does not answer the calls", async () => {
  const { follow, network, state } = await open();
  state.lacks.push(hashOf(2));
  expect(await follow()).toBeNull();
  const { call } = network.client();
  Object.assign(network.client(), { call: () => new Promise(() => undefined) });
  expect(await follow()).toBeNull();
  Object.assign(network.client(), { call });
  expect(await follow()).toBe(7);
});
