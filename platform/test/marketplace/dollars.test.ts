import { zeroAddress } from "viem";
import { expect, test } from "vitest";

import type { FindRoute } from "../../services/api/swap-route.js";
import {
  createFindRate,
  toDollars,
} from "../../services/marketplace/dollars.js";
import { addressOf, createStubChain } from "./stub-chain.js";

const unit = 10n ** 18n;

/** Pools that sell a unit for so many millionths of a dollar, rounded up. */
const routeAt =
  (numerator: bigint, denominator: bigint, most = 10n ** 40n): FindRoute =>
  ({ buyAmount }) => {
    const price = (buyAmount * numerator) / (unit * denominator) + 1n;
    const route = { router: addressOf(9), path: [], price };
    return Promise.resolve(buyAmount > most ? null : route);
  };

async function worthOf(units: bigint, findRoute: FindRoute): Promise<number> {
  const { network, state } = createStubChain();
  // So many decimals has the dollar.
  state.answer = 6n;
  const rate = await createFindRate(findRoute)(network, zeroAddress);
  return rate === null ? NaN : toDollars(units * unit, rate);
}

test("a currency is worth what many units cost, if one costs next to nothing", async () => {
  expect(await worthOf(1_000_000n, routeAt(4n, 10n))).toBeCloseTo(0.4, 5);
  expect(await worthOf(1n, routeAt(3_000_000n, 1n))).toBeCloseTo(3, 5);
  expect(await worthOf(20n, routeAt(50_000n, 1n))).toBeCloseTo(1, 5);
});

test("a currency of which there is little is worth what one unit costs", async () => {
  const scarce = routeAt(50_000n, 1n, unit);
  expect(await worthOf(20n, scarce)).toBeCloseTo(1, 3);
});
