import { type Hash, zeroAddress } from "viem";
import { expect, test } from "vitest";

import { requireHead } from "../../network/moment.js";
import type { FindRoute } from "../../services/api/swap-route.js";
import {
  createFindRate,
  toDollars,
} from "../../services/marketplace/dollars.js";
import { addressOf, createStubChain, hashOf } from "./stub-chain.js";

const unit = 10n ** 18n;

/**
 * Creates pools that sell a unit for `numerator / denominator` millionths of a
 * dollar, rounded up.
 */
const routeAt =
  (numerator: bigint, denominator: bigint, most = 10n ** 40n): FindRoute =>
  ({ buyAmount }) => {
    const price = (buyAmount * numerator) / (unit * denominator) + 1n;
    const provider = "uniswap_v2" as const;
    const encodeSwap = () => "0x" as const;
    const route = { provider, router: addressOf(9), price, encodeSwap };
    return Promise.resolve(buyAmount > most ? null : route);
  };

async function dollarsOf(units: bigint, findRoute: FindRoute): Promise<number> {
  const { network, state } = createStubChain();
  // The number of decimals of the dollar.
  state.answer = 6n;
  const head = await requireHead(network);
  const rate = await createFindRate(findRoute)(network, head, zeroAddress);
  return rate === null ? NaN : toDollars(units * unit, rate);
}

test("prices many units of a currency if one unit is nearly worthless", async () => {
  expect(await dollarsOf(1_000_000n, routeAt(4n, 10n))).toBeCloseTo(0.4, 5);
  expect(await dollarsOf(1n, routeAt(3_000_000n, 1n))).toBeCloseTo(3, 5);
  expect(await dollarsOf(20n, routeAt(50_000n, 1n))).toBeCloseTo(1, 5);
});

test("prices one unit of a currency if pools have little of it", async () => {
  const scarce = routeAt(50_000n, 1n, unit);
  expect(await dollarsOf(20n, scarce)).toBeCloseTo(1, 3);
});

test("does not trust a price of zero", async () => {
  const free: FindRoute = async (...search) => {
    const route = await routeAt(1n, 1n)(...search);
    return route && { ...route, price: 0n };
  };
  expect(await dollarsOf(1n, free)).toBeNaN();
});

/**
 * Opens an instance of the platform whose pools use the block number as the
 * price.
 */
function openInstance() {
  const { asked, network, state } = createStubChain();
  state.answer = 6n;
  const routedAt: (Hash | "latest")[] = [];
  const findRoute: FindRoute = (purchase, _, blockHash) => {
    routedAt.push(blockHash ?? "latest");
    return routeAt(BigInt(blockHash ?? state.block) * 1_000_000n, 1n)(
      purchase,
      zeroAddress,
    );
  };
  const findRate = createFindRate(findRoute);
  const worthAt = async (block: number): Promise<number> => {
    const head = { ...(await requireHead(network)), hash: hashOf(block) };
    const rate = await findRate(network, head, zeroAddress);
    return rate === null ? NaN : toDollars(unit, rate);
  };
  return { asked, routedAt, state, worthAt };
}

test("all instances compute the same rate for a block, with one read each", async () => {
  const instances = [openInstance(), openInstance()];
  for (const block of [5, 6, 5]) {
    for (const { state, worthAt } of instances) {
      const [worth] = await Promise.all([worthAt(block), worthAt(block)]);
      expect(worth).toBeCloseTo(block, 5);
      // The pools change while the instance still answers for the old block.
      state.block += 7;
    }
  }
  for (const { asked, routedAt } of instances) {
    expect(routedAt).toEqual([hashOf(5), hashOf(6), hashOf(5)]);
    expect(asked.calls).toEqual(routedAt);
  }
});

test("does not cache a rate from a node that lacks the block", async () => {
  const { routedAt, state, worthAt } = openInstance();
  Object.assign(state, { block: 3, lacks: [hashOf(4)] });
  expect(await worthAt(4)).toBeCloseTo(3, 5);
  state.lacks = [];
  expect(await worthAt(4)).toBeCloseTo(4, 5);
  expect(routedAt).toEqual(["latest", hashOf(4)]);
});
