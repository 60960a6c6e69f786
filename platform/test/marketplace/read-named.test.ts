import { expect, test } from "vitest";

import { momentAt, requireHead } from "../../network/moment.js";
import { bookOf } from "../../services/marketplace/book/book.js";
import type { StoredOrder } from "../../services/marketplace/book/find-orders.js";
import { createReadNamed } from "../../services/marketplace/book/read-named.js";
import { makeStoredOrder } from "./make-stored-order.js";
import { createStubChain } from "./stub-chain.js";

const [first, second] = [makeStoredOrder(1n), makeStoredOrder(2n)];

function nameOf({ row, trade }: StoredOrder) {
  return { collection: trade.collection, orderHash: row.order_hash };
}

/** Opens a stub chain and a finder of both orders. Tests can change `state`. */
function open() {
  const chain = createStubChain();
  const book = bookOf(chain.network) ?? expect.unreachable();
  const state = {
    stored: [first, second],
    isFollowed: true,
    onRead: () => undefined,
  };
  /** The number of names in each query. */
  const queries: number[] = [];
  const finder = {
    named: (_: unknown, names: readonly object[]) => {
      queries.push(names.length);
      state.onRead();
      return Promise.resolve(
        state.stored.filter((order) =>
          names.some(
            (name) => JSON.stringify(name) === JSON.stringify(nameOf(order)),
          ),
        ),
      );
    },
    offers: () => Promise.resolve([]),
  };
  const readNamed = createReadNamed(finder, async (network) => {
    const { isFollowed } = state;
    return { ...momentAt(await requireHead(network)), isFollowed };
  });
  const read = async (...names: Parameters<typeof readNamed>[2]) => {
    const { moment, orders } = await readNamed(chain.network, book, names);
    return { block: moment.head.number, ids: orders.map(({ row }) => row.id) };
  };
  return { chain, queries, read, state };
}

test("queries the database for an order once per block", async () => {
  const { chain, queries, read } = open();
  const both = [nameOf(second), nameOf(first)];
  expect(await read(...both)).toEqual({ block: 1, ids: [1, 2] });
  const upperCase = nameOf(first).collection.toUpperCase();
  const again = [...both, { ...nameOf(first), collection: upperCase }];
  expect(await read(...again)).toEqual({ block: 1, ids: [1, 2] });
  expect(await read(nameOf(second))).toEqual({ block: 1, ids: [2] });
  expect(queries).toEqual([2]);
  Object.assign(chain.state, { block: 2 });
  expect(await read(...both)).toEqual({ block: 2, ids: [1, 2] });
  expect(queries).toEqual([2, 2]);
});

test("finds an order that is imported between two blocks", async () => {
  const { read, state } = open();
  const both = [nameOf(first), nameOf(second)];
  state.stored = [first];
  expect(await read(...both)).toEqual({ block: 1, ids: [1] });
  state.stored = [first, second];
  expect(await read(...both)).toEqual({ block: 1, ids: [1, 2] });
});

test("caches nothing while the follower is behind", async () => {
  const { queries, read, state } = open();
  state.isFollowed = false;
  await read(nameOf(first));
  state.isFollowed = true;
  await read(nameOf(first));
  expect(queries).toEqual([1, 1]);
});

test("caches nothing that was read while a block was being stored", async () => {
  const { chain, queries, read, state } = open();
  state.onRead = () => void Object.assign(chain.state, { block: 2 });
  expect(await read(nameOf(first))).toEqual({ block: 2, ids: [1] });
  // The chain returns to the previous block, as in a reorganization.
  state.onRead = () => undefined;
  Object.assign(chain.state, { block: 1 });
  await read(nameOf(first));
  expect(queries).toEqual([1, 1]);
});
