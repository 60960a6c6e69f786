import { type Address, erc20Abi, parseAbi, zeroAddress } from "viem";

import type { OrderStatus } from "../../../generated/marketplace/types.js";
import { Batch } from "../../network/batch.js";
import type { Network } from "../../network/networks.js";
import { seaportAbi } from "../../seaport/abi.js";
import { OrderType } from "../../seaport/order.js";
import { createHasCounter, type HasCounter } from "./counters.js";
import type { StoredOrder } from "./find-orders.js";
import { askHoldings, least } from "./holdings.js";
import type { Book } from "./book.js";
import { type Price, priceAt } from "./price.js";
import { createFindSpenders, type Spender } from "./spender.js";
import { currentTime } from "./time.js";
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

const royaltyAbi = parseAbi([
  "function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 amount)",
]);

/**
 * Checks stored orders against the chain, all of them at one moment.
 *
 * Output: those that the chain knows, in the same order.
 * Errors: `Unavailable` when the chain does not answer, also when there is no
 * order to check: then it is not known that there is none.
 */
export type CheckOrders = (
  network: Network,
  book: Book,
  orders: readonly StoredOrder[],
) => Promise<readonly CheckedOrder[]>;

/** Makes what checks orders; it keeps what never changes. */
export function createCheckOrders(): CheckOrders {
  const findSpenders = createFindSpenders();
  const hasCounter = createHasCounter();
  return async (network, book, orders) => {
    const keys = orders.map(({ parameters }) => parameters.conduitKey);
    const spenders = await findSpenders(network, book, keys);
    const batch = new Batch(network);
    const asked = orders.flatMap((order) => {
      const spender = spenders.get(order.parameters.conduitKey);
      if (spender === undefined) return [];
      return [{ order, facts: askFacts(batch, book, order, spender) }];
    });
    const time = currentTime(await batch.run());
    return asked.flatMap(({ order, facts }) => {
      const state = judge(order, facts, hasCounter, time);
      return state === null ? [] : [{ ...order, state }];
    });
  };
}

/** What is asked of the chain for an order. */
type Facts = ReturnType<typeof askFacts>;

function askFacts(
  batch: Batch,
  { contract }: Book,
  order: StoredOrder,
  spender: Spender,
) {
  const { parameters, row, trade } = order;
  const abi = seaportAbi;
  return {
    status: batch.ask(contract, {
      abi,
      functionName: "getOrderStatus",
      args: [row.order_hash],
    }),
    counter: batch.ask(contract, {
      abi,
      functionName: "getCounter",
      args: [parameters.offerer],
    }),
    decimals: askDecimals(batch, trade.currency),
    holdings: askHoldings(batch, order, spender, contract),
    royalty:
      trade.fees.length === 0
        ? () => null
        : batch.ask(trade.collection, {
            abi: royaltyAbi,
            functionName: "royaltyInfo",
            args: [trade.tokenId ?? 0n, 10_000n],
          }),
  };
}

/** Asks for the decimals of a currency. */
export function askDecimals(
  batch: Batch,
  currency: Address,
): () => number | null {
  if (currency === zeroAddress) return () => 18;
  return batch.ask(currency, { abi: erc20Abi, functionName: "decimals" });
}

/** null: the chain does not know the order. */
function judge(
  order: StoredOrder,
  facts: Facts,
  hasCounter: HasCounter,
  time: bigint,
): OrderState | null {
  const { parameters, trade } = order;
  const answer = facts.status();
  if (answer === null) return null;
  const [isValidated, isCancelled, filled, size] = answer;
  if (!isValidated && !isCancelled && filled === 0n) return null;
  const { quantity } = trade;
  const done = size === 0n ? 0n : (quantity * filled) / size;
  const remaining = quantity - done;
  const price = priceAt(parameters, trade, time);
  const fillable = fillableOf(order, price, remaining, facts.holdings());
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

/** How much can be filled with what the maker has. */
function fillableOf(
  { parameters, trade }: StoredOrder,
  { total }: Price,
  remaining: bigint,
  holdings: bigint,
): bigint {
  const units = unitsOf(trade, total, holdings);
  const isInParts = parameters.orderType === OrderType.PartialOpen;
  if (isInParts) return least(remaining, units);
  return units < remaining ? 0n : remaining;
}

/** Of a listing the maker gives tokens; of an offer, what pays for them. */
function unitsOf(
  { quantity, side }: Trade,
  total: bigint,
  holdings: bigint,
): bigint {
  if (side === "listing") return holdings;
  return total === 0n ? quantity : (holdings * quantity) / total;
}
