import type { Address } from "viem";

import type { OrderStatus } from "../../../generated/marketplace/types.js";
import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import type { Book } from "./book.js";
import { createHasCounter, type HasCounter } from "./counters.js";
import type { StoredOrder } from "./find-orders.js";
import { least } from "./holdings.js";
import { createReadFacts, type OrderFacts } from "./order-facts.js";
import { isFillableAt, type Price, priceAt } from "./price.js";
import type { Trade } from "./trade.js";

/** What the chain says of an order at a moment. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly price: Price;
  /** Of the currency; null: it does not say. */
  readonly decimals: number | null;
  /** What is not filled yet. */
  readonly remaining: bigint;
  /** What can be filled now. */
  readonly available: bigint;
  /** Who has a right to royalties, as the collection says. */
  readonly royaltyReceiver: Address | null;
}

/** An order, and what the chain says of it. */
export interface CheckedOrder extends StoredOrder {
  readonly state: OrderState;
}

/**
 * Checks stored orders against the chain, all of them at one moment.
 *
 * Output: those that the chain knows, in the same order.
 * Errors: `Unavailable` when the chain does not answer.
 */
export type CheckOrders = (
  network: Network,
  book: Book,
  moment: Moment,
  orders: readonly StoredOrder[],
) => Promise<readonly CheckedOrder[]>;

/** Makes what checks orders; it keeps what has not changed since. */
export function createCheckOrders(): CheckOrders {
  const readFacts = createReadFacts();
  const hasCounter = createHasCounter();
  return async (network, book, { head, time }, orders) => {
    const known = await readFacts(network, book, head, orders);
    return orders.flatMap((order) => {
      const facts = known.get(order.row.order_hash);
      if (facts === undefined) return [];
      const state = judge(order, facts, hasCounter, time);
      return state === null ? [] : [{ ...order, state }];
    });
  };
}

/** null: the chain does not know the order. */
function judge(
  order: StoredOrder,
  facts: OrderFacts,
  hasCounter: HasCounter,
  time: bigint,
): OrderState | null {
  const { parameters, row, trade } = order;
  const answer = facts.status();
  if (answer === null) return null;
  const [isValidated, isCancelled, filled, size] = answer;
  const isKnown = isValidated || isCancelled || filled > 0n;
  // Of an order that was submitted, the chain hears when it is filled.
  if (!isKnown && row.signature === null) return null;
  const { quantity } = trade;
  const done = size === 0n ? 0n : (quantity * filled) / size;
  const remaining = quantity - done;
  const price = priceAt(parameters, trade, time);
  // A transfer of the other standard fails, whoever fills the order.
  const holdings = facts.isStandard() === true ? facts.holdings() : 0n;
  const fillable = fillableOf(order, price, time, { remaining, holdings });
  const decimals = facts.decimals();
  const counter = facts.counter();
  // It is part of what is hashed: raised, it leaves the order behind.
  const isCurrent = counter !== null && hasCounter(order, counter);
  const isTakenBack = isCancelled || !isCurrent;
  const end = endOf(remaining, isTakenBack, time >= parameters.endTime);
  const isWaiting = time < parameters.startTime || fillable === 0n;
  const standing = isWaiting ? "inactive" : "active";
  const [royaltyReceiver = null] = facts.royalty() ?? [];
  return {
    status: end ?? (decimals === null ? "decimals_missing" : standing),
    price,
    decimals,
    remaining,
    available: end === null && time >= parameters.startTime ? fillable : 0n,
    royaltyReceiver,
  };
}

/** How an order is over; null: it is not. */
function endOf(
  remaining: bigint,
  isTakenBack: boolean,
  isLate: boolean,
): OrderStatus | null {
  if (remaining === 0n) return "filled";
  if (isTakenBack) return "cancelled";
  return isLate ? "expired" : null;
}

/** How much can be filled at a time with what the maker has. */
export function fillableOf(
  { parameters, trade }: StoredOrder,
  { total }: Price,
  time: bigint,
  {
    remaining,
    holdings,
  }: { readonly remaining: bigint; readonly holdings: bigint },
): bigint {
  const units = least(remaining, unitsOf(trade, total, holdings));
  const fillable = units - (units % trade.step);
  return isFillableAt(parameters, trade, time, fillable) ? fillable : 0n;
}

/** Of a listing the maker gives tokens; of an offer, what pays for them. */
function unitsOf(
  { quantity, side }: Trade,
  total: bigint,
  holdings: bigint,
): bigint {
  if (side === "listing") return holdings;
  return total === 0n ? 0n : (holdings * quantity) / total;
}
