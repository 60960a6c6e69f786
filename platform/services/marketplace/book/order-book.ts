import { decodeEventLog, type Hex } from "viem";

import type { Transaction } from "../../../database/schema.js";
import type { BlockConsumer, BlockLog } from "../../../follower/block.js";
import { seaportAbi } from "../../../seaport/abi.js";
import { ItemType } from "../../../seaport/order.js";
import type { Book } from "./book.js";
import {
  type Change,
  type LogPlace,
  removeFrom,
  saveChange,
  saveOrder,
} from "./save-orders.js";

/**
 * Creates a consumer that stores the orders that a marketplace contract
 * announces and the changes to them. It removes both when their blocks are
 * removed.
 */
export function createOrderBook(book: Book): BlockConsumer {
  return {
    onBlocks: async (transaction, blocks) => {
      for (const { number, minedAt, logs } of blocks) {
        for (const log of logs) {
          if (log.address.toLowerCase() !== book.contract) continue;
          const place = { ...book, number, minedAt, logIndex: log.logIndex };
          await takeLog(transaction, place, log);
        }
      }
    },
    onBlocksRemoved: async (transaction, blocks) => {
      const lowest = blocks.at(-1);
      if (lowest === undefined) return;
      await removeFrom(transaction, book, lowest.number);
    },
  };
}

async function takeLog(
  transaction: Transaction,
  place: LogPlace,
  log: BlockLog,
): Promise<void> {
  const event = decodeLog(log);
  if (event === null) return;
  const save = (change: Change) => saveChange(transaction, place, change);
  switch (event.eventName) {
    case "OrderValidated": {
      const { orderHash, orderParameters: parameters } = event.args;
      const { data } = log;
      return saveOrder(transaction, place, { orderHash, parameters, data });
    }
    case "OrderFulfilled": {
      const { offer, consideration, offerer: maker, orderHash } = event.args;
      const quantity = quantityOf([...offer, ...consideration]);
      return save({ kind: "filled", maker, orderHash, quantity });
    }
    case "OrderCancelled": {
      const { offerer: maker, orderHash } = event.args;
      return save({ kind: "cancelled", maker, orderHash, quantity: null });
    }
    case "CounterIncremented": {
      return save({
        kind: "all-cancelled",
        maker: event.args.offerer,
        orderHash: null,
        quantity: null,
      });
    }
  }
}

/** Decodes a log. Returns null for events that `seaportAbi` does not contain. */
function decodeLog({ data, topics }: BlockLog) {
  const [topic, ...others] = topics;
  if (topic === undefined) return null;
  try {
    const indexed: [Hex, ...Hex[]] = [topic, ...others];
    return decodeEventLog({ abi: seaportAbi, data, topics: indexed });
  } catch {
    return null;
  }
}

/**
 * Returns the quantity of the token among the items of a fill. In a stored
 * order, one side is a single token.
 */
function quantityOf(
  items: readonly { readonly itemType: number; readonly amount: bigint }[],
): bigint {
  const token = items.find(({ itemType }) => itemType >= ItemType.Erc721);
  return token?.amount ?? 0n;
}
