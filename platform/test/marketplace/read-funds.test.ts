import { expect, onTestFinished, test, vi } from "vitest";

import { requireHead } from "../../network/moment.js";
import type { FundingSource } from "../../services/marketplace/ledger.js";
import { createReadFunds } from "../../services/marketplace/read-funds.js";
import { addressOf, createStubChain, hashOf } from "./stub-chain.js";

const sourceOf = (owner: number, currency = 20): FundingSource => ({
  currency: addressOf(currency),
  owner: addressOf(owner),
  spender: addressOf(30),
});

const [first, second, elsewhere] = [
  sourceOf(10),
  sourceOf(11),
  sourceOf(10, 21),
];

function open() {
  const chain = createStubChain();
  const readFunds = createReadFunds();
  /**
   * Reads balances and allowances. Output: the amounts, and the block of each
   * contract call.
   */
  const read = async (...sources: readonly FundingSource[]) => {
    const before = chain.asked.calls.length;
    const head = await requireHead(chain.network);
    const amounts = await readFunds(chain.network, head, sources);
    return [amounts, chain.asked.calls.slice(before)];
  };
  const named = (owner: number, currency = 20) => ({
    address: addressOf(currency),
    topics: [hashOf(99), hashOf(5), hashOf(owner)],
  });
  return { ...chain, read, named };
}

test("reads a balance again after a log that names its owner", async () => {
  const { read, named, state } = open();
  const all = [first, second, elsewhere];
  expect(await read(...all)).toEqual([[7n, 7n, 7n], [hashOf(1)]]);
  Object.assign(state, { block: 2, answer: 8n });
  expect(await read(...all)).toEqual([[7n, 7n, 7n], []]);
  // The log is in the second of three new blocks.
  Object.assign(state, { block: 5, answer: 9n });
  state.logs?.set(4, [named(11), named(12), named(13, 21)]);
  expect(await read(...all)).toEqual([[7n, 9n, 7n], [hashOf(5)]]);
  state.block = 6;
  state.logs?.set(6, [named(10, 21)]);
  state.answer = 10n;
  expect(await read(...all)).toEqual([[7n, 9n, 10n], [hashOf(6)]]);
});

test("reads a balance once, however many offers it must pay", async () => {
  const { read } = open();
  const sources = Array.from({ length: 1000 }, () => ({ ...first }));
  expect(await read(...sources)).toEqual([Array(1000).fill(7n), [hashOf(1)]]);
});

test.each([
  ["blocks are removed", { block: 3, fork: 500 }, hashOf(503)],
  ["another block replaces the last one", { fork: 500 }, hashOf(501)],
  ["there are too many new blocks", { block: 100 }, hashOf(100)],
  ["the chain does not return its logs", { block: 2, logs: null }, hashOf(2)],
])("reads all balances again when %s", async (_, change, hash) => {
  const { read, state } = open();
  await read(first, second);
  Object.assign(state, { answer: 8n, ...change });
  expect(await read(first, second)).toEqual([[8n, 8n], [hash]]);
  expect(await read(first, second)).toEqual([[8n, 8n], []]);
});

test("reads a balance again after a minute", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { read, state } = open();
  // At time zero, the cache would treat the entry as one without a time.
  vi.advanceTimersByTime(1);
  await read(first);
  state.answer = 8n;
  vi.advanceTimersByTime(59_999);
  expect(await read(first)).toEqual([[7n], []]);
  vi.advanceTimersByTime(2);
  expect(await read(first)).toEqual([[8n], [hashOf(1)]]);
});

test("does not cache answers from a node that lacks the block", async () => {
  const { read, state } = open();
  state.lacks.push(hashOf(1));
  expect(await read(first)).toEqual([[7n], ["latest"]]);
  Object.assign(state, { lacks: [], answer: 8n });
  expect(await read(first)).toEqual([[8n], [hashOf(1)]]);
});
