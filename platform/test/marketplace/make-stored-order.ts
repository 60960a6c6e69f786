import { zeroAddress } from "viem";
import { expect } from "vitest";

import { makeListing } from "../../seaport/make-order.js";
import { hashOrder, ItemType } from "../../seaport/order.js";
import type { StoredOrder } from "../../services/marketplace/book/find-orders.js";
import { toTrade } from "../../services/marketplace/book/trade.js";
import { addressOf } from "./stub-chain.js";

/** Creates a listing of a token in the form in which orders are stored. */
export function makeStoredOrder(tokenId: bigint): StoredOrder {
  const itemType = ItemType.Erc721;
  const parameters = makeListing({
    maker: addressOf(3),
    item: { itemType, token: addressOf(4), tokenId, quantity: 1n },
    ...{ currency: addressOf(5), price: 100n },
  });
  const at = new Date();
  const hash = hashOrder(parameters, 0n);
  return {
    hash,
    parameters,
    trade: toTrade(parameters) ?? expect.unreachable(),
    hasCounter: (counter) => counter === 0n,
    row: {
      ...{ id: Number(tokenId), chain_id: 1, contract: zeroAddress },
      order_hash: hash,
      ...{ collection_id: 1, collectible_id: 1, side: "listing" },
      ...{ maker: addressOf(3), currency: addressOf(5), quantity: "1" },
      ...{ unit_price: null, data: "0x" },
      ...{ ends_at: at, block_number: 1, log_index: 1 },
      ...{ mined_at: at, created_at: at, updated_at: at },
      ...{ changed_at: null, noted_at: null, signature: null },
    },
  };
}
