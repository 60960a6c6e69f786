import type { Address } from "viem";

import type { OrderStatus } from "../../../generated/marketplace/types.js";
import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import type { Book } from "./book/book.js";
import type { OrderTerms, StoredOrder } from "./book/find-orders.js";
import { least } from "./holdings.js";
import { createReadFacts, type OrderFacts } from "./order-facts.js";
import { isFillableAt, type Price, priceAt } from "./price.js";
import type { Trade } from "./book/trade.js";

/** The state of an order on the chain at a given time. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly price: Price;
  /** The currency's decimals, or null if it does not report them. */
  readonly decimals: number | null;
  /** The quantity that has not been filled yet. */
  readonly remaining: bigint;
  /** The quantity that can be filled now. */
  readonly available: bigint;
  /**
   * The receiver of royalties, according to the collection. Null if it reports
   * none, or if the order has no fees.
   */
  readonly royaltyReceiver: Address | null;
}

/** An order with its state on the chain. */
export interface CheckedOrder extends StoredOrder {
  readonly state: OrderState;
}

/**
 * Creates a function that checks stored orders against the chain, all at the
 * same point in time. It queries each order only once per block.
 *
 * Returns the orders that exist on the chain or were submitted, in the order in
 * which they were given. Leaves out orders for whose conduit key the chain
 * reports no conduit, and orders whose status it does not report.
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createCheckOrders() {
  const readFacts = createReadFacts();
  return async (
    network: Network,
    book: Book,
    { head, time }: Moment,
    orders: readonly StoredOrder[],
  ): Promise<readonly CheckedOrder[]> => {
    const known = await readFacts(network, book, head, orders);
    return orders.flatMap((order) => {
      const facts = known.get(order.row.order_hash);
      if (facts === undefined) return [];
      const state = determineState(order, facts, time);
      return state === null ? [] : [{ ...order, state }];
    });
  };
}

/**
 * Determines the state of an order. Returns null if the order neither exists on
 * the chain nor was submitted, or if the contract does not report its status.
 */
function determineState(
  order: StoredOrder,
  facts: OrderFacts,
  time: bigint,
): OrderState | null {
  const { parameters, row, trade } = order;
  const answer = facts.status();
  if (answer === null) return null;
  const [isValidated, isCancelled, filled, size] = answer;
  const isKnown = isValidated || isCancelled || filled > 0n;
  // A submitted order does not exist on the chain until it is filled, canceled,
  // or validated.
  if (!isKnown && row.signature === null) return null;
  const { quantity } = trade;
  const done = size === 0n ? 0n : (quantity * filled) / size;
  const remaining = quantity - done;
  const price = priceAt(parameters, trade, time);
  // If the collection does not implement the token standard that the order
  // uses, every transfer fails.
  const holdings = facts.isStandard() === true ? facts.holdings() : 0n;
  const fillable = fillableOf(order, price, time, { remaining, holdings });
  const decimals = facts.decimals();
  const counter = facts.counter();
  // The counter is part of the hash, so incrementing it invalidates the order.
  const isCurrent = counter !== null && order.hasCounter(counter);
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

/** Returns how an order ended, or null if it has not ended. */
function endOf(
  remaining: bigint,
  isTakenBack: boolean,
  isLate: boolean,
): OrderStatus | null {
  if (remaining === 0n) return "filled";
  if (isTakenBack) return "cancelled";
  return isLate ? "expired" : null;
}

/**
 * Returns how much can be filled at a point in time, given what the maker owns.
 */
export function fillableOf(
  { parameters, trade }: OrderTerms,
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

/**
 * Returns the quantity that the maker's holdings cover. The maker of a listing
 * provides tokens, and the maker of an offer pays for them.
 */
function unitsOf(
  { quantity, side }: Trade,
  total: bigint,
  holdings: bigint,
): bigint {
  if (side === "listing") return holdings;
  return total === 0n ? 0n : (holdings * quantity) / total;
}
