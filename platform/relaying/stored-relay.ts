import { sql } from "kysely";
import { parseTransaction } from "viem";

import { ageMs } from "../database/age.js";
import { lockRow } from "../database/locks.js";
import type { Database, Row, Transaction } from "../database/schema.js";
import type { Evidence } from "./evidence/evidence.js";
import type { Receipt, RelayStatus, SignedLimits } from "./evidence/reports.js";
import { isUnchanged, type KnownRelay } from "./next-step.js";
import { priceOf } from "./evidence/price.js";

/** A stored relay. */
export type RelayRow = Row<"relays">;
/** A stored transaction. */
export type TransactionRow = Row<"relay_transactions">;

/** Returns the limits of what a signed transaction of a relay can cost. */
export function limitsOf(
  {
    max_charge: charge,
    transaction,
  }: Pick<TransactionRow, "max_charge" | "transaction">,
  { max_data_fee: dataFee }: Pick<RelayRow, "max_data_fee">,
): SignedLimits {
  const parsed = parseTransaction(transaction);
  const [gas, price] = [parsed.gas ?? 0n, priceOf(parsed).max];
  const most = gas * price + BigInt(dataFee);
  return { gas, price, charge: charge === null ? most : BigInt(charge) };
}

/** A relay that is not final, as it was read. */
export interface StoredRelay {
  readonly row: RelayRow;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
  readonly known: KnownRelay;
  /** Whether its deadline has passed by the clock of the database. */
  readonly isPast: boolean;
  /**
   * Whether an hour has passed since it was accepted and last sent, and since its
   * deadline if that has passed. A relay can wait for long until it is sent.
   */
  readonly isOld: boolean;
}

const isOldRow = sql<boolean>`
  greatest(created_at, (
    select max(sent.created_at) from relay_transactions as sent
    where sent.relay_id = relays.id
  )) < now() - interval '1 hour'
  and extract(epoch from now()) not between deadline and deadline + 3600`;

/** Reads a relay. Returns null if it is final. */
export async function readOpenRelay(
  database: Database,
  id: number,
): Promise<StoredRelay | null> {
  const row = await database
    .selectFrom("relays")
    .selectAll()
    .select(ageMs("settled_at").as("settledMs"))
    .select(ageMs("unexplained_at").as("unexplainedMs"))
    .select(sql<boolean>`deadline <= extract(epoch from now())`.as("isPast"))
    .select(isOldRow.as("isOld"))
    .where("id", "=", id)
    .where("is_final", "=", false)
    .executeTakeFirst();
  if (row === undefined) return null;
  const transactions = await database
    .selectFrom("relay_transactions")
    .selectAll()
    .select(ageMs("created_at").as("signedMs"))
    .where("relay_id", "=", id)
    .orderBy("created_at")
    .execute();
  const known: KnownRelay = {
    state: row.state,
    hash: row.transaction_hash,
    gasUsed: BigInt(row.gas_used ?? 0),
    cost: BigInt(row.cost),
    blockNumber: row.block_number,
    settledMs: row.settledMs,
    unexplainedMs: row.unexplainedMs,
    transactions: transactions.map((each) => ({
      hash: each.hash,
      account: each.account,
      nonce: each.account_nonce,
      isCancel: isCancel(each),
      limits: limitsOf(each, row),
      signedAt: each.signed_at_block,
      signedMs: each.signedMs,
    })),
  };
  const { isOld, isPast } = row;
  return { row, transactions, known, isOld, isPast };
}

/** Returns whether a transaction has no effect other than using its nonce. */
export function isCancel({
  transaction,
}: Pick<TransactionRow, "transaction">): boolean {
  return (parseTransaction(transaction).data ?? "0x") === "0x";
}

/**
 * Changes a relay in a transaction that locks it. All changes after its
 * acceptance are made here.
 *
 * Returns null, without changing anything, if another instance has changed the
 * relay since it was read. This instance may have been suspended.
 */
export function changeRelay<Result>(
  database: Database,
  before: StoredRelay,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result | null> {
  return database.transaction().execute(async (transaction) => {
    const { id } = before.row;
    await lockRow(transaction, "relay", id);
    const now = await readOpenRelay(transaction, id);
    if (now === null || !isUnchanged(before.known, now.known)) return null;
    return change(transaction);
  });
}

/**
 * Stores a relay's status and the cost of each of its transactions, and charges
 * or refunds the difference to its tank.
 *
 * Input: whether another transaction may have used the nonce of a call that failed.
 */
export async function book(
  transaction: Transaction,
  { row, transactions }: StoredRelay,
  status: Evidence<RelayStatus>,
  receipts: ReadonlyMap<string, Evidence<Receipt>>,
  isNonceUsed: boolean,
): Promise<void> {
  const { state, hash, gasUsed, cost, blockNumber } = status.value;
  await transaction
    .updateTable("relays")
    .set({
      state,
      transaction_hash:
        transactions.find((each) => each.hash === hash)?.hash ?? null,
      gas_used: gasUsed.toString(),
      cost: cost.toString(),
      block_number: blockNumber,
      nonce_used: isNonceUsed,
      settled_at: state === "pending" ? null : sql<Date>`now()`,
    })
    .where("id", "=", row.id)
    .execute();
  for (const each of transactions) {
    const paid = receipts.get(each.hash)?.value.cost.toString() ?? null;
    if (paid === each.cost) continue;
    await transaction
      .updateTable("relay_transactions")
      .set({ cost: paid })
      .where("hash", "=", each.hash)
      .execute();
  }
  const difference = cost - BigInt(row.cost);
  if (difference === 0n) return;
  await lockRow(transaction, "tank", row.gas_tank_id);
  await transaction
    .updateTable("gas_tanks")
    .set({
      balance: sql<string>`balance - ${difference.toString()}::numeric`,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", row.gas_tank_id)
    .execute();
}
