import { type Address, maxUint256 } from "viem";

import type { OfferItem, OrderParameters } from "../../seaport/order.js";
import type { Trade } from "./trade.js";

/** What an order costs at a moment, in the smallest unit of its currency. */
export interface Price {
  /** Of all of it, with fees. */
  readonly total: bigint;
  readonly fees: readonly FeeAmount[];
  /** Of one, with fees. */
  readonly each: bigint;
  /** Of one, without fees. */
  readonly eachNet: bigint;
}

/** What of the total somebody else gets. */
export interface FeeAmount {
  readonly recipient: Address;
  readonly amount: bigint;
}

/** What an order costs at a time in seconds. */
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
  // Rounding may take one more than there is.
  const net = rest < 0n ? 0n : rest;
  // Nobody gets one for less than that, or more than that for one.
  const share = (amount: bigint): bigint =>
    side === "listing" ? divideUp(amount, quantity) : amount / quantity;
  return { total, fees, each: share(total), eachNet: share(net) };
}

/** Seaport's own reckoning: makers give rounded down, and get rounded up. */
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
 * Whether Seaport fills so much of an order at a time: each item has to come to
 * something, by a reckoning that stays within 256 bits.
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
