import {
  getAddress,
  type Hash,
  numberToHex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

import { ageMs } from "../database/age.js";
import type { BlockHeader } from "../network/block-header.js";
import { readMoment } from "../network/moment.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../parts/platform.js";
import { pushNext } from "./account-nonces.js";
import { dataFeeOf } from "./data-fee.js";
import { requireRelayAccount } from "./relay-account.js";
import { book, type RelayStatus } from "./relays.js";
import {
  isCancel,
  type RelayRow,
  sendAgain,
  sendFirst,
  type TransactionRow,
} from "./send-relay.js";

/** Dependencies for settling relays. */
export type SettlingParts = Pick<Platform, "database" | "settings">;

/** A relay is final after this many blocks or this many milliseconds. */
const finalBlocks = 512;
const finalMs = 24 * 60 * 60 * 1000;

/**
 * How long to wait for the receipt of a transaction whose nonce has been used,
 * before treating the transaction as lost.
 */
const lostMs = 10 * 60 * 1000;

/**
 * How long a node can lack the block of a transaction before the block is
 * treated as removed. Followers wait just as long.
 */
const lagMs = 15_000;

/** A stored relay and the time since it was settled, or null if it was not. */
interface SettlingRow extends RelayRow {
  readonly settledMs: number | null;
}

/** The status of a relay on the chain. */
interface ChainStatus extends RelayStatus {
  readonly head: BlockHeader;
  /** The last transaction of each nonce that the chain has not used yet. */
  readonly live: readonly TransactionRow[];
  readonly isLate: boolean;
  /** The number of stored transactions. */
  readonly knownCount: number;
}

/**
 * Advances a relay. Stores the status of its transactions and sends the ones
 * that are due. Transactions that a reorganization undoes are refunded and sent
 * again.
 *
 * Returns the reason why the relay is not final, or null if it is.
 * Errors: any error from viem; `Unavailable` if the chain does not report its
 * last block or the network no longer has a relaying account.
 */
export async function settleRelay(
  parts: SettlingParts,
  network: Network,
  id: number,
): Promise<string | null> {
  const row = await findOpen(parts, id);
  if (row === null) return null;
  const found = await look(parts, network, row);
  if (found === null) return "a receipt is missing";
  if (isOver(found)) return conclude(parts, row, found);
  const reason = await push(parts, network, row, found);
  if (reason !== null) return reason;
  // The embedded chain mines a block immediately.
  const sent = await findOpen(parts, id);
  const after = sent && (await look(parts, network, sent));
  return after !== null && isOver(after)
    ? "a reorganization can still undo it"
    : "it has no receipt yet";
}

function isOver({ live, state }: ChainStatus): boolean {
  return live.length === 0 && state !== "pending";
}

async function findOpen(
  { database }: SettlingParts,
  id: number,
): Promise<SettlingRow | null> {
  const row = await database
    .selectFrom("relays")
    .selectAll()
    .select(ageMs("settled_at").as("settledMs"))
    .where("id", "=", id)
    .where("is_final", "=", false)
    .executeTakeFirst();
  return row ?? null;
}

/** Reads and stores the status. Returns null if it is currently unknown. */
async function look(
  { database }: SettlingParts,
  network: Network,
  row: SettlingRow,
): Promise<ChainStatus | null> {
  // This fails soon if the chain does not respond. Otherwise, the relays of
  // such chains would delay those of all others.
  const { head, time } = await readMoment(network);
  const transactions = await database
    .selectFrom("relay_transactions")
    .selectAll()
    .select(ageMs("created_at").as("ageMs"))
    .where("relay_id", "=", row.id)
    .orderBy("created_at")
    .execute();
  const receipts = await readReceipts(network, transactions);
  const isOpen = (each: TransactionRow): boolean =>
    !transactions.some(
      (other) => hasSameNonce(each, other) && receipts.has(other.hash),
    );
  const missing = transactions.filter(isOpen);
  const open = missing.filter(
    (each, index) =>
      !missing.slice(index + 1).some((later) => hasSameNonce(each, later)),
  );
  const live: TransactionRow[] = [];
  for (const each of open) {
    const count = await readCount(network, each.account);
    if (count <= each.account_nonce) live.push(each);
    // The node may not have the receipt yet, or another program may have used
    // the account.
    else if (row.state !== "pending" || each.ageMs < lostMs) return null;
  }
  if (await isBehind(network, row, head, missing)) return null;
  const isLate = BigInt(row.deadline) <= time;
  const status = determineStatus(
    transactions,
    receipts,
    live.length === 0 && isLate,
  );
  if (!isBooked(row, status)) await book(database, row.id, status);
  return { ...status, head, live, isLate, knownCount: transactions.length };
}

function determineStatus(
  transactions: readonly TransactionRow[],
  receipts: ReadonlyMap<Hash, TransactionReceipt>,
  isExpired: boolean,
): RelayStatus {
  const mined = [...receipts.values()];
  const calls = transactions
    .filter((each) => !isCancel(each))
    .flatMap(({ hash }) => receipts.get(hash) ?? []);
  const done = calls.find(({ status }) => status === "success");
  const call = done ?? calls[0];
  const unmade = isExpired ? "expired" : "pending";
  return {
    state: done ? "done" : call ? "reverted" : unmade,
    hash: call?.transactionHash ?? transactions.at(-1)?.hash ?? null,
    gasUsed: mined.reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
    cost: mined.reduce((sum, receipt) => sum + costOf(receipt), 0n),
    blockNumber:
      mined.length === 0
        ? null
        : Math.max(...mined.map(({ blockNumber }) => Number(blockNumber))),
  };
}

function costOf(receipt: TransactionReceipt): bigint {
  return receipt.gasUsed * receipt.effectiveGasPrice + dataFeeOf(receipt);
}

function isBooked(row: RelayRow, status: RelayStatus): boolean {
  return (
    row.state === status.state &&
    row.transaction_hash === status.hash &&
    row.block_number === status.blockNumber &&
    row.cost === status.cost.toString()
  );
}

/** Marks a relay as final once it can no longer be undone. */
async function conclude(
  { database }: SettlingParts,
  { id, settledMs }: SettlingRow,
  { blockNumber, head }: ChainStatus,
): Promise<string | null> {
  const isDeep =
    blockNumber === null || head.number - blockNumber >= finalBlocks;
  const isOld = settledMs !== null && settledMs >= finalMs;
  if (!isDeep && !isOld) return "a reorganization can still undo it";
  await database
    .updateTable("relays")
    .set({ is_final: true })
    .where("id", "=", id)
    .execute();
  return null;
}

/**
 * Sends the relay's first transaction, or all live ones again. Returns the
 * reason why nothing was sent, or null if everything was sent.
 */
async function push(
  { database, settings }: SettlingParts,
  network: Network,
  row: RelayRow,
  { isLate, knownCount, live, state }: ChainStatus,
): Promise<string | null> {
  const place = requireRelayAccount(settings, network);
  const sending = { database, place, row };
  const count = await readCount(network, place.account.address);
  if (live.length === 0) return sendFirst(sending, count, knownCount);
  for (const each of live) {
    const isOurs = each.account === place.account.address.toLowerCase();
    if (isOurs && count < each.account_nonce) {
      await pushNext(database, place, count);
    }
    await sendAgain(sending, each, isLate || state !== "pending");
  }
  return null;
}

function hasSameNonce(one: TransactionRow, other: TransactionRow): boolean {
  return (
    one.account === other.account && one.account_nonce === other.account_nonce
  );
}

/**
 * Returns whether a node lags behind rather than a reorganization having
 * removed transactions. If several nodes share a URL, one can lack what another
 * has reported.
 *
 * Input: the transactions of the relay whose nonces have no receipt.
 */
async function isBehind(
  network: Network,
  { block_number: number, settledMs }: SettlingRow,
  head: BlockHeader,
  missing: readonly TransactionRow[],
): Promise<boolean> {
  if (number === null || missing.length === 0) return false;
  const block = await network.client().request({
    method: "eth_getBlockByNumber",
    params: [numberToHex(number), false],
  });
  return block === null
    ? head.number >= number || (settledMs ?? Infinity) < lagMs
    : missing.some(({ hash }) =>
        block.transactions.some((mined) => mined === hash),
      );
}

function readCount(network: Network, account: string): Promise<number> {
  const address = getAddress(account);
  return network.client().getTransactionCount({ address });
}

async function readReceipts(
  network: Network,
  transactions: readonly TransactionRow[],
): Promise<ReadonlyMap<Hash, TransactionReceipt>> {
  const read = transactions.map(async ({ hash }) => {
    try {
      return [await network.client().getTransactionReceipt({ hash })];
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return [];
      throw error;
    }
  });
  const receipts = (await Promise.all(read)).flat();
  return new Map(receipts.map((each) => [each.transactionHash, each]));
}
