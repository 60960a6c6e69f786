import {
  BaseError,
  ContractFunctionRevertedError,
  encodeAbiParameters,
  getAbiItem,
  parseAbi,
} from "viem";

import type { Database } from "../../../database/schema.js";
import { timeOf } from "../../../network/block-header.js";
import type { Network } from "../../../network/networks.js";
import { requireHead } from "../../../network/moment.js";
import { readChain } from "../../../network/read-chain.js";
import { seaportAbi } from "../../../seaport/abi.js";
import { hashOrder } from "../../../seaport/order.js";
import {
  OrderFormatError,
  readSignedOrder,
  type SignedOrder,
} from "../../../seaport/read-signed-order.js";
import { type Book, requireBook } from "./book.js";
import { saveOrder } from "./save-orders.js";
import { toTrade } from "./trade.js";

/** The result of importing a line. */
export interface ImportedLine {
  /** The line number, starting at 1. */
  readonly line: number;
  /** The ID of the order, or null if the order was rejected. */
  readonly orderId: string | null;
  /** The reason why the order was rejected, or null if it was stored. */
  readonly refusal: string | null;
}

/** Thrown if an order cannot be stored. The message gives the reason. */
class RefusedOrderError extends Error {
  override readonly name = "RefusedOrderError";
}

/** The log index of orders without a log: after all logs of their block. */
const afterAllLogs = 2 ** 31 - 1;

/**
 * Imports signed orders that were not announced on the chain.
 *
 * Input: one order per line, as JSON in the format of seaport-js.
 * Returns the result of each nonempty line.
 * Errors: `Unavailable` if the network's orders are not followed or its chain
 * does not respond.
 */
export async function importOrders(
  database: Database,
  network: Network,
  text: string,
): Promise<readonly ImportedLine[]> {
  const book = requireBook(network);
  const found: ImportedLine[] = [];
  for (const [index, json] of text.split("\n").entries()) {
    if (json.trim() === "") continue;
    const line = index + 1;
    try {
      const orderId = await importOrder(database, network, book, json);
      found.push({ line, orderId, refusal: null });
    } catch (error) {
      const isRefused =
        error instanceof RefusedOrderError || error instanceof OrderFormatError;
      if (!isRefused) throw error;
      found.push({ line, orderId: null, refusal: error.message });
    }
  }
  return found;
}

/** Imports an order and returns its ID. */
async function importOrder(
  database: Database,
  network: Network,
  book: Book,
  json: string,
): Promise<string> {
  const order = readSignedOrder(json);
  const { parameters, signature } = order;
  if (toTrade(parameters) === null) {
    throw new RefusedOrderError(
      "the order cannot be followed, because it has no single price for one token or for any token of a collection",
    );
  }
  const head = await requireHead(network);
  if (parameters.endTime <= timeOf(head)) {
    throw new RefusedOrderError("the order has expired");
  }
  const counter = await requireCounter(network, book, order);
  const orderHash = hashOrder(parameters, counter);
  await requireValid(network, book, order);
  const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });
  const data = encodeAbiParameters(inputs, [orderHash, parameters]);
  const place = { number: head.number, minedAt: head.minedAt };
  const isNew = await database.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom("marketplace_orders")
      .select("id")
      .where("chain_id", "=", book.chainId)
      .where("contract", "=", book.contract)
      .where("order_hash", "=", orderHash)
      .executeTakeFirst();
    if (known !== undefined) return false;
    await saveOrder(
      transaction,
      { ...book, ...place, logIndex: afterAllLogs },
      { orderHash, parameters, data, signature },
    );
    return true;
  });
  if (!isNew) {
    throw new RefusedOrderError(`order ${orderHash} has already been imported`);
  }
  return orderHash;
}

/**
 * Returns the maker's current counter. Rejects an order that names a different
 * one.
 */
async function requireCounter(
  network: Network,
  { contract }: Book,
  { counter, parameters }: SignedOrder,
): Promise<bigint> {
  const current = await readChain(network, (client) =>
    client.readContract({
      ...{ address: contract, abi: seaportAbi, functionName: "getCounter" },
      args: [parameters.offerer],
    }),
  );
  if (current === null) {
    throw new RefusedOrderError(`${contract} is not a Seaport contract`);
  }
  if (counter !== null && counter !== current) {
    throw new RefusedOrderError(
      `the order has counter ${counter}, but the counter of its maker is ${current}`,
    );
  }
  return current;
}

const validateAbi = [
  ...seaportAbi,
  ...parseAbi([
    "error InvalidSignature()",
    "error InvalidSigner()",
    "error BadSignatureV(uint8 v)",
    "error BadContractSignature()",
    "error OrderIsCancelled(bytes32 orderHash)",
    "error OrderAlreadyFilled(bytes32 orderHash)",
    "error MissingOriginalConsiderationItems()",
    "error ConsiderationLengthNotEqualToTotalOriginal()",
  ]),
];

/**
 * Lets the contract check the signature by simulating the order's validation.
 * This accepts every kind of signature that the contract accepts: key
 * signatures, compact signatures, bulk orders, and contract wallet signatures.
 */
async function requireValid(
  network: Network,
  { contract }: Book,
  { parameters, signature }: SignedOrder,
): Promise<void> {
  const reason = await readChain(network, async (client) => {
    try {
      await client.simulateContract({
        ...{ address: contract, abi: validateAbi, functionName: "validate" },
        args: [[{ parameters, signature }]],
      });
      return "";
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      const refusal = error.walk(
        (cause) => cause instanceof ContractFunctionRevertedError,
      );
      if (!(refusal instanceof ContractFunctionRevertedError)) throw error;
      return refusal.data?.errorName ?? refusal.shortMessage;
    }
  });
  if (reason === "") return;
  throw new RefusedOrderError(
    `the marketplace contract rejects the order: ${reason ?? `${contract} is not a Seaport contract`}`,
  );
}
