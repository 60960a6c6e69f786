import {
  type Address,
  erc1155Abi,
  erc20Abi,
  erc721Abi,
  isAddressEqual,
} from "viem";

import type { Batch } from "../../network/batch.js";
import { conduitControllerAbi } from "../../seaport/abi.js";
import type { StoredOrder } from "./book/find-orders.js";
import type { FundingSource } from "./ledger.js";
import type { Spender } from "./spender.js";
import type { Trade } from "./book/trade.js";

/**
 * Asks how much the maker of an order owns and has approved for the
 * marketplace: tokens for a listing, the currency for an offer.
 */
export function askHoldings(
  batch: Batch,
  { parameters, trade }: StoredOrder,
  spender: Spender,
  contract: Address,
): () => bigint {
  const maker = parameters.offerer;
  const isOpen = askWhetherOpen(batch, spender, contract);
  const amount =
    trade.side === "offer"
      ? queryFunds(batch, {
          currency: trade.currency,
          owner: maker,
          spender: spender.address,
        })
      : askToken(batch, trade, maker, spender.address);
  return () => (isOpen() ? amount() : 0n);
}

/**
 * Asks whether the marketplace contract can use a spender. A conduit works only
 * for contracts that are registered with it.
 */
function askWhetherOpen(
  batch: Batch,
  { address, controller }: Spender,
  contract: Address,
): () => boolean {
  if (controller === null) return () => true;
  const isOpen = batch.ask(
    controller,
    conduitControllerAbi,
    "getChannelStatus",
    [address, contract],
  );
  return () => isOpen() === true;
}

/** Asks how much can be withdrawn from a funding source. */
export function queryFunds(
  batch: Batch,
  { currency, owner, spender }: FundingSource,
): () => bigint {
  const balance = batch.ask(currency, erc20Abi, "balanceOf", [owner]);
  const allowance = batch.ask(currency, erc20Abi, "allowance", [
    owner,
    spender,
  ]);
  return () => least(balance() ?? 0n, allowance() ?? 0n);
}

function askToken(
  batch: Batch,
  { collection, standard, tokenId }: Trade,
  maker: Address,
  spender: Address,
): () => bigint {
  const id = tokenId ?? 0n;
  // Both ERC-721 and ERC-1155 define `isApprovedForAll`.
  const areAllAllowed = batch.ask(collection, erc721Abi, "isApprovedForAll", [
    maker,
    spender,
  ]);
  if (standard === "ERC1155") {
    const balance = batch.ask(collection, erc1155Abi, "balanceOf", [maker, id]);
    return () => (areAllAllowed() === true ? (balance() ?? 0n) : 0n);
  }
  const owner = batch.ask(collection, erc721Abi, "ownerOf", [id]);
  const allowed = batch.ask(collection, erc721Abi, "getApproved", [id]);
  return () => {
    const isAllowed = areAllAllowed() === true || isSame(allowed(), spender);
    return isAllowed && isSame(owner(), maker) ? 1n : 0n;
  };
}

function isSame(one: Address | null, other: Address): boolean {
  return one !== null && isAddressEqual(one, other);
}

/** Returns the smaller of two amounts. */
export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
