import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import { bookOf } from "../../services/marketplace/book/book.js";
import type { StoredOrder } from "../../services/marketplace/book/find-orders.js";
import { requireHead } from "../../network/moment.js";
import { Batch } from "../../network/batch.js";
import {
  askDecimals,
  createReadFacts,
} from "../../services/marketplace/order-facts.js";
import { makeStoredOrder } from "./make-stored-order.js";
import { addressOf, createStubChain, hashOf } from "./stub-chain.js";

function open() {
  const chain = createStubChain();
  const readFacts = createReadFacts();
  const book = bookOf(chain.network) ?? expect.unreachable();
  /** Reads the counters of the orders' makers. */
  const read = async (...orders: readonly StoredOrder[]) => {
    const head = await requireHead(chain.network);
    const facts = await readFacts(chain.network, book, head, orders);
    const counters = orders.map(({ row }) =>
      facts.get(row.order_hash)?.counter(),
    );
    return { counters, block: head.number };
  };
  return { ...chain, read };
}

const [first, second] = [makeStoredOrder(1n), makeStoredOrder(2n)];

test("queries the chain about an order once per block", async () => {
  const { asked, read, state } = open();
  const answers = await Promise.all([read(first), read(first), read(first)]);
  expect(answers.map(({ counters }) => counters)).toEqual([[7n], [7n], [7n]]);
  expect(await read(first, second)).toEqual({ counters: [7n, 7n], block: 1 });
  expect(await read(second, first)).toEqual({ counters: [7n, 7n], block: 1 });
  // Each request covers only orders that are not known yet.
  expect(asked.calls).toEqual([hashOf(1), hashOf(1)]);
  Object.assign(state, { block: 2, answer: 8n });
  expect(await read(first, second)).toEqual({ counters: [8n, 8n], block: 2 });
  expect(asked.calls).toEqual([hashOf(1), hashOf(1), hashOf(2)]);
});

test.each([
  [18n, 18],
  [255n, 255],
  [256n, null],
  [2n ** 200n, null],
])("a currency that reports %d decimals has %s", async (answer, expected) => {
  const { network, state } = open();
  state.answer = answer;
  const batch = new Batch(network);
  const decimals = askDecimals(batch, addressOf(9));
  await batch.run();
  expect(decimals()).toBe(expected);
});

test("drops answers along with their block", async () => {
  const { asked, read, state } = open();
  await read(first);
  // The last block is now a different one.
  Object.assign(state, { block: 99, answer: 8n });
  expect((await read(first)).counters).toEqual([8n]);
  Object.assign(state, { block: 1, answer: 7n });
  expect((await read(first)).counters).toEqual([7n]);
  expect(asked.calls).toEqual([hashOf(1), hashOf(99), hashOf(1)]);
});

test("uses answers from a node that lacks the block, but does not cache them", async () => {
  const { asked, read, state } = open();
  state.lacks.push(hashOf(1));
  expect((await read(first)).counters).toEqual([7n]);
  Object.assign(state, { answer: 8n, lacks: [] });
  expect((await read(first)).counters).toEqual([8n]);
  expect((await read(first)).counters).toEqual([8n]);
  expect(asked.calls).toEqual(["latest", hashOf(1)]);
});

test("retries failed reads", async () => {
  const { network, read, state } = open();
  const call = network.client().call;
  Object.assign(network.client(), {
    call: () => Promise.reject(new TypeError()),
  });
  await expect(read(first)).rejects.toBeInstanceOf(TypeError);
  Object.assign(network.client(), { call });
  state.answer = 9n;
  expect((await read(first)).counters).toEqual([9n]);
});

test("reports a failed read only to its callers", async () => {
  const { network, read } = open();
  const client = network.client();
  const { call } = client;
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const callLate: typeof call = (question) => gate.then(() => call(question));
  Object.assign(client, { call: callLate });
  const early = read(first);
  await setImmediate();
  Object.assign(client, { call: () => Promise.reject(new TypeError()) });
  const both = read(first, second);
  const failed = expect(both).rejects.toBeInstanceOf(TypeError);
  // This is long enough for an unhandled rejection to end the process.
  await setImmediate();
  await setImmediate();
  goOn();
  await failed;
  expect((await early).counters).toEqual([7n]);
});

test("simultaneous callers share a request, but later callers do not", async () => {
  const { asked, network, state } = open();
  const early = Array.from({ length: 10 }, () => network.head());
  await Promise.resolve();
  await Promise.resolve();
  expect(asked.heads).toBe(1);
  // The request is in progress, so its answer may predate the new block.
  state.block = 2;
  const late = Array.from({ length: 10 }, () => network.head());
  await Promise.all([...early, ...late]);
  expect(asked.heads).toBe(2);
  for (const head of late) expect((await head).hash).toBe(hashOf(2));
  expect((await network.head()).hash).toBe(hashOf(2));
  expect(asked.heads).toBe(3);
});
