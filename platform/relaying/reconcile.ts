import { sql } from "kysely";
import { lockName } from "../database/locks.js";
import { readInPieces } from "../database/pieces.js";
import type { Database } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import type { Settings } from "../settings/read-settings.js";
import { readReport, readUser } from "./ask-nodes.js";
import { readAgreed, readBalance, readHeight } from "./evidence/read-market.js";
import { type AccountPlace, findRelayAccounts } from "./relay-account.js";
import { limitsOf } from "./stored-relay.js";

/** A tank's balance, and the amounts that it must follow from. */
export interface TankCheck {
  readonly projectId: number;
  readonly chainId: number;
  readonly balance: bigint;
  /** Everything that was added, minus corrections. */
  readonly filled: bigint;
  readonly paid: bigint;
  readonly reserved: bigint;
  /** What the balance has too much or, if negative, too little. */
  readonly difference: bigint;
}

/**
 * Counts the tanks that would be empty after another day like the last one: what
 * is not reserved is less than what they have paid in 24 hours. A tank without
 * payments is low if it has been emptied.
 */
export async function countLowTanks(database: Database): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) from gas_tanks as tank
    where exists (
      select from gas_sponsors
      where gas_tank_id = tank.id and active and deleted_at is null
    ) and exists (
      select from gas_tank_fills where gas_tank_id = tank.id
    ) and balance - (
      select coalesce(sum(max_cost), 0) from relays
      where gas_tank_id = tank.id and state = 'pending'
    ) < greatest(1, (
      select coalesce(sum(cost), 0) from relays
      where gas_tank_id = tank.id and cost > 0
        and coalesce(settled_at, created_at) > now() - interval '24 hours'
    ))`.execute(database);
  return Number(rows[0]?.count ?? 0);
}

/** What is stored about a tank. */
interface StoredAmounts {
  readonly id: number;
  readonly projectId: number;
  readonly chainId: number;
  readonly balance: string;
  readonly filled: string;
  readonly paid: string;
  readonly reserved: string;
}

/** Checks all tanks: what was filled minus what was paid is the balance. */
export async function checkTanks(
  database: Database,
): Promise<readonly TankCheck[]> {
  const rows = await readInPieces<StoredAmounts>(async (last, limit) => {
    // A single statement sees all amounts of a tank at the same time.
    const { rows: piece } = await sql<StoredAmounts>`
      with tanks as (
        select * from gas_tanks where id > ${last?.id ?? 0}
        order by id limit ${limit}
      ), filled as (
        select gas_tank_id, sum(amount) as filled
        from gas_tank_fills join tanks on tanks.id = gas_tank_id
        group by gas_tank_id
      ), relayed as (
        select gas_tank_id, sum(cost) as paid,
          sum(max_cost) filter (where state = 'pending') as reserved
        from relays join tanks on tanks.id = gas_tank_id
        group by gas_tank_id
      )
      select id, tanks.project_id as "projectId", tanks.chain_id as "chainId",
        balance::text,
        coalesce(filled, 0)::text as filled, coalesce(paid, 0)::text as paid,
        coalesce(reserved, 0)::text as reserved
      from tanks
      left join filled on filled.gas_tank_id = tanks.id
      left join relayed on relayed.gas_tank_id = tanks.id
      order by id`.execute(database);
    return piece;
  });
  return rows.map(({ chainId, projectId, ...amounts }) => {
    const [balance, filled, paid] = [
      BigInt(amounts.balance),
      BigInt(amounts.filled),
      BigInt(amounts.paid),
    ];
    const reserved = BigInt(amounts.reserved);
    const difference = balance - filled + paid;
    return {
      ...{ projectId, chainId, balance, filled, paid, reserved, difference },
    };
  });
}

/**
 * The number of blocks behind the last one at which an account is checked, so
 * that a reorganization does not change the result. Nodes have the state of such
 * recent blocks.
 */
const depth = 64n;

/** The balance of a relaying account, and the amounts that it must follow from. */
export interface AccountCheck {
  readonly chainId: number;
  readonly account: string;
  readonly blockNumber: number;
  /** The number of transactions at that block. */
  readonly nonce: number;
  readonly balance: bigint;
  /** The balance at the last block. */
  readonly current: bigint;
  /** What tanks have paid for its transactions since the last stored check. */
  readonly paid: bigint;
  /** The maximum cost of relays that wait for a block. */
  readonly reserved: bigint;
  /**
   * What the account has received since the last stored check or, if negative,
   * what it has lost: to other programs, or by transactions that no tank has paid
   * for.
   */
  readonly difference: bigint;
  /** What it has lost in the last seven days. */
  readonly lost: bigint;
  /** The number of used nonces whose transaction is not known yet. */
  readonly unknown: number;
  /** The same as `foreign`, but since the last stored check. */
  readonly foreignSince: number;
  /**
   * The number of nonces that were used in the last seven days and that the
   * platform has not signed. Unlike a loss, no receipt can hide them.
   */
  readonly foreign: number;
}

/**
 * Checks the relaying account of a network against the last stored check: its
 * balance then, minus what tanks have paid for its transactions since, is its
 * balance. The rest is a loss. This includes what other programs have spent with
 * nonces that the platform has not signed.
 *
 * Returns null if the network has no relaying account.
 * Errors: `Unavailable` if most nodes do not agree about the account; any error
 * from viem.
 */
export async function checkAccount(
  database: Database,
  settings: Settings,
  network: Network,
): Promise<AccountCheck | null> {
  const [place] = findRelayAccounts(settings, network);
  if (place === undefined) return null;
  const account = place.account.address.toLowerCase();
  const { address } = place.account;
  const { value: head } = await readHeight(network);
  // The embedded chain has no reorganizations and forgets old states.
  const isOwn = network.handle === settings.embeddedChain;
  const blockNumber = isOwn ? head : head > depth ? head - depth : 0n;
  const { value: current } = await readBalance(network, place.account);
  const question = { address, blockNumber };
  const past = await readAgreed(
    network,
    `the account ${account} at block ${blockNumber}`,
    async (node) => ({
      balance: await node.getBalance(question),
      nonce: await node.getTransactionCount(question),
    }),
    (each) => `${each.balance} ${each.nonce}`,
  );
  const { balance, nonce } = past.value;
  await noteFillers(database, place, nonce);
  const { chainId } = network;
  const last = await database
    .selectFrom("relay_account_checks")
    .selectAll()
    .where("chain_id", "=", chainId)
    .where("account", "=", account)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const nonces = [last?.nonce ?? nonce, nonce] as const;
  const costs = await readCosts(database, { chainId, account, nonces });
  const paid = BigInt(costs?.paid ?? 0);
  const before = last === undefined ? balance : BigInt(last.balance);
  const difference = balance - before + paid;
  const unknown = costs?.unknown ?? 0;
  const foreignSince = costs?.foreignSince ?? 0;
  // An unknown cost would look like a loss.
  const isLoss = unknown === 0 && difference < 0n;
  return {
    ...{ chainId, account, blockNumber: Number(blockNumber), nonce, balance },
    ...{ current, paid, reserved: BigInt(costs?.reserved ?? 0) },
    ...{ difference, unknown, foreignSince },
    foreign: Number(costs?.foreign ?? 0) + foreignSince,
    lost: BigInt(costs?.lost ?? 0) + (isLoss ? -difference : 0n),
  };
}

/** Reads what was paid for an account's nonces, from one up to another. */
async function readCosts(
  database: Database,
  {
    account,
    chainId,
    nonces: [from, nonce],
  }: Pick<AccountCheck, "account" | "chainId"> & {
    readonly nonces: readonly [from: number, to: number];
  },
) {
  const recent = sql`
    select difference, foreign_nonces from relay_account_checks
    where chain_id = ${chainId} and account = ${account}
      and created_at > now() - interval '7 days'`;
  const { rows } = await sql<{
    readonly paid: string;
    readonly unknown: number;
    readonly foreignSince: number;
    readonly foreign: string;
    readonly reserved: string;
    readonly lost: string;
  }>`
    select coalesce(sum(least(cost, coalesce(max_charge,
        case when relay_id is null then 0 else cost end
      ))) filter (where cost is not null), 0)::text as paid, (
      select count(*)::int from (
        select from relay_transactions
        left join relays on relays.id = relay_id
        where relay_transactions.chain_id = ${chainId} and account = ${account}
          and account_nonce >= ${from} and account_nonce < ${nonce}
        group by account_nonce
        having count(relay_transactions.cost) = 0
          and bool_or(is_final is distinct from true)
      ) as nonces
    ) as unknown,
      ${nonce - from} - count(distinct account_nonce)::int as "foreignSince", (
      select coalesce(sum(max_cost), 0)::text from relays
      where chain_id = ${chainId} and state = 'pending'
    ) as reserved, (
      select coalesce(-sum(difference), 0)::text from (${recent}) as checks
      where difference < 0
    ) as lost, (
      select coalesce(sum(foreign_nonces), 0)::text from (${recent}) as checks
    ) as "foreign"
    from relay_transactions
    where chain_id = ${chainId} and account = ${account}
      and account_nonce >= ${from} and account_nonce < ${nonce}`.execute(
    database,
  );
  return rows[0];
}

/**
 * Stores the costs of transactions that only filled gaps between nonces. One
 * whose nonce another transaction has used has cost nothing.
 */
async function noteFillers(
  database: Database,
  { account, network }: AccountPlace,
  count: number,
): Promise<void> {
  const name = account.address.toLowerCase();
  const { chainId } = network;
  const fillers = await database
    .selectFrom("relay_transactions as filler")
    .select(["hash", "account_nonce as nonce", "max_charge", "transaction"])
    .where("chain_id", "=", chainId)
    .where("account", "=", name)
    .where("account_nonce", "<", count)
    .where("relay_id", "is", null)
    .where("cost", "is", null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("relay_transactions as other")
            .select("other.hash")
            .where("other.chain_id", "=", chainId)
            .where("other.account", "=", name)
            .whereRef("other.account_nonce", "=", "filler.account_nonce")
            .where("other.cost", "is not", null),
        ),
      ),
    )
    .execute();
  if (fillers.length === 0) return;
  const transactions = fillers.map((each) => ({
    ...{ hash: each.hash, account: name, nonce: each.nonce },
    limits: limitsOf(each, { max_data_fee: "0" }),
  }));
  const signed = new Map<string, number>();
  const report = await readReport(network, { signed, transactions });
  for (const { hash, nonce } of fillers) {
    const receipt = report.receipts.get(hash);
    if (report.doubts.has(hash)) continue;
    const user = receipt
      ? null
      : await readUser(network, { account: name, nonce });
    const isOther =
      user !== null && !fillers.some((each) => each.hash === user.hash);
    if (receipt === undefined && !isOther) continue;
    await database
      .updateTable("relay_transactions")
      .set({ cost: String(receipt?.value.cost ?? 0n) })
      .where("hash", "=", hash)
      .execute();
  }
}

/**
 * Stores a check, from which the next one continues, unless costs are still
 * unknown or another instance has stored one within a day.
 */
export async function storeDaily(
  database: Database,
  check: AccountCheck,
): Promise<void> {
  if (check.unknown > 0) return;
  const { account, chainId } = check;
  await database.transaction().execute(async (transaction) => {
    await lockName(transaction, "account", `checks of ${account} ${chainId}`);
    await sql`
      insert into relay_account_checks
        (chain_id, account, block_number, nonce, balance, paid, difference,
          foreign_nonces)
      select ${chainId}, ${account}, ${check.blockNumber}, ${check.nonce},
        ${check.balance.toString()}, ${check.paid.toString()},
        ${check.difference.toString()}, ${check.foreignSince}
      where not exists (
        select from relay_account_checks
        where chain_id = ${chainId} and account = ${account}
          and (created_at > now() - interval '23 hours'
            or nonce > ${check.nonce})
      )`.execute(transaction);
  });
}
