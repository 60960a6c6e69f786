import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeAbiParameters,
  getAbiItem,
  type Hash,
  parseAbi,
} from "viem";

import { UnavailableError } from "../../../../generated/errors.js";
import type { Database } from "../../../database/schema.js";
import { groupBy } from "../../../follower/group-by.js";
import { timeOf } from "../../../network/block-header.js";
import type { Network } from "../../../network/networks.js";
import { requireHead } from "../../../network/moment.js";
import { readChain } from "../../../network/read-chain.js";
import { giveWay } from "../../../process/concurrency/give-way.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";
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
 * The number of lines that are processed at the same time. Each one waits for the
 * chain several times, and uses a database connection.
 */
const linesAtOnce = 8;

/** Where orders are imported. */
interface Target {
  readonly database: Database;
  readonly network: Network;
  readonly book: Book;
  /** Returns a maker's current counter. Reads it once. */
  readonly counterOf: (maker: Address) => Promise<bigint>;
}

/** An order with its hash, according to the counter that it was signed with. */
interface HashedOrder extends SignedOrder {
  readonly orderHash: Hash;
}

/**
 * Imports signed orders that were not announced on the chain.
 *
 * Input: one order per line, as JSON in the format of seaport-js. No more lines
 * are started once `isOver` returns true.
 * Returns the result of each nonempty line.
 * Errors: `Unavailable` if the network's orders are not followed, or if its chain
 * does not respond before an order was stored.
 */
export async function importOrders(
  database: Database,
  network: Network,
  text: string,
  isOver = (): boolean => false,
): Promise<readonly ImportedLine[]> {
  const book = requireBook(network);
  const counterOf = createCounterOf(network, book);
  const target = { database, network, book, counterOf };
  const lines = text
    .split("\n")
    .map((json, index) => ({ json, line: index + 1 }))
    .filter(({ json }) => json.trim() !== "");
  const found = new Map<number, ImportedLine>();
  let failure: unknown = null;
  const limit = createLimit(linesAtOnce, lines.length);
  /** Returns null if the line was rejected, or if there is no time for it. */
  const attempt = async <Result>(
    line: number,
    step: () => Promise<Result>,
  ): Promise<Result | null> => {
    await giveWay();
    if (failure !== null || isOver()) return null;
    try {
      return await step();
    } catch (error) {
      const isRefused =
        error instanceof RefusedOrderError || error instanceof OrderFormatError;
      if (!isRefused) failure ??= error;
      else found.set(line, { line, orderId: null, refusal: error.message });
      return null;
    }
  };
  const hashed = lines.map(({ json, line }) =>
    limit(async () => {
      const order = await attempt(line, () => hashLine(target, json));
      return order === null ? [] : [{ line, order }];
    }),
  );
  const orders = (await Promise.all(hashed)).flat();
  // Lines with the same order are processed one after the other.
  const groups = groupBy(orders, ({ order }) => order.orderHash).values();
  const stored = [...groups].map((group) =>
    limit(async () => {
      for (const { line, order } of group) {
        const orderId = await attempt(line, () => storeOrder(target, order));
        if (orderId === null) continue;
        found.set(line, { line, orderId, refusal: null });
      }
    }),
  );
  await Promise.all(stored);
  const hasStored = [...found.values()].some(({ orderId }) => orderId !== null);
  const cause =
    hasStored && failure instanceof UnavailableError ? failure.cause : null;
  if (failure !== null && cause === null) throw failure;
  const reason = cause ?? "there was no time left";
  const refusal = `it was not processed, because ${reason}; import it again`;
  return lines.map(
    ({ line }) => found.get(line) ?? { line, orderId: null, refusal },
  );
}

/** Reads an order and determines its hash. */
async function hashLine(
  { counterOf }: Target,
  json: string,
): Promise<HashedOrder> {
  const order = readSignedOrder(json);
  const { counter, parameters } = order;
  if (toTrade(parameters) === null) {
    throw new RefusedOrderError(
      "the order cannot be followed, because it has no single price for one token or for any token of a collection",
    );
  }
  const signed = counter ?? (await counterOf(parameters.offerer));
  return { ...order, orderHash: hashOrder(parameters, signed) };
}

/** Checks and stores an order. Returns its ID. */
async function storeOrder(target: Target, order: HashedOrder): Promise<string> {
  const { book, database, network } = target;
  const { orderHash, parameters, signature } = order;
  // Asking the chain takes longer, and a file may be imported again.
  if (await isStored(database, book, orderHash)) throw alreadyImported(order);
  const head = await requireHead(network);
  if (parameters.endTime <= timeOf(head)) {
    throw new RefusedOrderError("the order has expired");
  }
  await requireCounter(target, order);
  await requireValid(network, book, order);
  const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });
  const data = encodeAbiParameters(inputs, [orderHash, parameters]);
  const place = { number: head.number, minedAt: head.minedAt };
  await database.transaction().execute(async (transaction) => {
    if (await isStored(transaction, book, orderHash)) {
      throw alreadyImported(order);
    }
    await saveOrder(
      transaction,
      { ...book, ...place, logIndex: afterAllLogs },
      { orderHash, parameters, data, signature },
    );
  });
  return orderHash;
}

async function isStored(
  database: Database,
  { chainId, contract }: Book,
  orderHash: Hash,
): Promise<boolean> {
  const known = await database
    .selectFrom("marketplace_orders")
    .select("id")
    .where("chain_id", "=", chainId)
    .where("contract", "=", contract)
    .where("order_hash", "=", orderHash)
    .executeTakeFirst();
  return known !== undefined;
}

function alreadyImported({ orderHash }: HashedOrder): RefusedOrderError {
  return new RefusedOrderError(`order ${orderHash} has already been imported`);
}

/** Creates a function that reads the current counter of each maker once. */
function createCounterOf(
  network: Network,
  { contract }: Book,
): Target["counterOf"] {
  const counters = new Map<Address, Promise<bigint>>();
  const read = async (maker: Address): Promise<bigint> => {
    const current = await readChain(network, (client) =>
      client.readContract({
        ...{ address: contract, abi: seaportAbi, functionName: "getCounter" },
        args: [maker],
      }),
    );
    if (current !== null) return current;
    throw new RefusedOrderError(`${contract} is not a Seaport contract`);
  };
  return (maker) => {
    const counter = counters.get(maker) ?? read(maker);
    counters.set(maker, counter);
    return counter;
  };
}

/** Rejects an order that names another counter than its maker's current one. */
async function requireCounter(
  { counterOf }: Target,
  { counter, parameters }: SignedOrder,
): Promise<void> {
  if (counter === null) return;
  const current = await counterOf(parameters.offerer);
  if (counter === current) return;
  throw new RefusedOrderError(
    `the order has counter ${counter}, but the counter of its maker is ${current}`,
  );
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
