import { type Address, maxUint256 } from "viem";

import type { OfferItem, OrderParameters } from "../../seaport/order.js";
import type { Trade } from "./book/trade.js";

/** The price of an order at a given time, in the currency's smallest unit. */
export interface Price {
  /** The total price, including fees. */
  readonly total: bigint;
  readonly fees: readonly FeeAmount[];
  /** The price of one token, including fees. */
  readonly each: bigint;
  /** The price of one token, without fees. */
  readonly eachNet: bigint;
}

/** The share of the total for a recipient other than the maker. */
export interface FeeAmount {
  readonly recipient: Address;
  readonly amount: bigint;
}

/** Returns the price of an order at a given time, in seconds. */
export function priceAt(
  order: OrderParameters,
  trade: Trade,
  time: bigint,
): Price {
  const { payments, quantity, side } = trade;
  const total = sum(
    payments.map((item) => amountAt(order, item, time, side === "listing")),
  );
  const fees = trade.fees.map((item) => ({
    recipient: item.recipient,
    amount: amountAt(order, item, time, true),
  }));
  const rest = total - sum(fees.map(({ amount }) => amount));
  // Rounding can make the fees slightly exceed the total.
  const net = rest < 0n ? 0n : rest;
  // Round listing prices up and offer prices down.
  const share = (amount: bigint): bigint =>
    side === "listing" ? divideUp(amount, quantity) : amount / quantity;
  return { total, fees, each: share(total), eachNet: share(net) };
}

/** Computes an amount as Seaport does: offers round down, considerations up. */
function amountAt(
  { startTime, endTime }: Pick<OrderParameters, "startTime" | "endTime">,
  { startAmount, endAmount }: OfferItem,
  time: bigint,
  isRoundedUp: boolean,
): bigint {
  if (startAmount === endAmount || time <= startTime) return startAmount;
  if (time >= endTime) return endAmount;
  const duration = endTime - startTime;
  const elapsed = time - startTime;
  const sum = startAmount * (duration - elapsed) + endAmount * elapsed;
  return isRoundedUp ? divideUp(sum, duration) : sum / duration;
}

/**
 * Returns whether Seaport can fill a quantity of an order at a given time. Each
 * item must have a nonzero amount, and computing it must not overflow 256 bits.
 */
export function isFillableAt(
  { startTime, endTime, ...order }: OrderParameters,
  { quantity }: Trade,
  time: bigint,
  units: bigint,
): boolean {
  return [...order.offer, ...order.consideration].every((item) => {
    const startAmount = (item.startAmount * units) / quantity;
    const endAmount = (item.endAmount * units) / quantity;
    if (startAmount === endAmount) return startAmount > 0n;
    const most = startAmount > endAmount ? startAmount : endAmount;
    const part = { ...item, startAmount, endAmount };
    const isRoundedUp = order.consideration.some((each) => each === item);
    return (
      most * (endTime - startTime) <= maxUint256 &&
      amountAt({ startTime, endTime }, part, time, isRoundedUp) > 0n
    );
  });
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
