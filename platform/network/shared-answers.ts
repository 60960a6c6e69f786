import { sql } from "kysely";
import type { Address, Hash, Hex } from "viem";

import type { Database } from "../database/schema.js";

/** A contract call and the bytes of its result. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /** Null if the call reverted or has not been made yet. */
  answer: Hex | null;
}

/** Results of contract calls on a chain, shared by all instances. */
export interface SharedAnswers {
  /**
   * Fills in the shared results at a block.
   *
   * Returns the calls without a shared result.
   * Errors: `Unavailable` if the database does not respond.
   */
  recall(blockHash: Hash, calls: readonly Call[]): Promise<readonly Call[]>;
  /**
   * Shares results at a block. Failures are ignored, because other instances
   * can query the chain instead.
   */
  share(blockHash: Hash, calls: readonly Call[]): void;
}

/** Results that have not been used for this long are not refreshed. */
const refreshWindow = sql`interval '60 seconds'`;
/** The interval at which instances record that a result is in use. */
const recordInterval = sql`interval '20 seconds'`;

/**
 * The maximum number of calls per chain that are refreshed. Other calls are
 * made on demand.
 */
const maxRefreshed = 4000;

/**
 * The maximum number of results waiting to be shared. Additional results are
 * not shared.
 */
const maxWaiting = 10_000;

/** Longer calls are not shared because the database cannot index them. */
const maxQuestionLength = 1024;

/** Opens the shared results of a chain. */
export function openSharedAnswers(
  database: Database,
  chainId: number,
): SharedAnswers {
  let waiting = new Map<Call, Hash>();
  let isWriting = false;
  /**
   * Writes the waiting results with one statement at a time, so that waiting
   * for row locks occupies only one connection.
   */
  const write = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.size > 0) {
      const calls = waiting;
      waiting = new Map();
      await writeAnswers(database, chainId, calls, true).catch(() => undefined);
    }
    isWriting = false;
  };
  const share = (blockHash: Hash, calls: Iterable<Call>): void => {
    for (const call of calls) {
      if (waiting.size >= maxWaiting) break;
      if (call.data.length <= maxQuestionLength) waiting.set(call, blockHash);
    }
    void write();
  };
  return {
    share,
    recall: async (blockHash, calls) => {
      const found = await findAnswers(database, chainId, blockHash, calls);
      const wanted = [];
      for (const { call, answer, isOld } of found) {
        call.answer = answer;
        if (isOld) wanted.push(call);
      }
      share(blockHash, wanted);
      const known = new Set(found.map(({ call }) => call));
      return calls.filter((call) => !known.has(call));
    },
  };
}

async function findAnswers(
  database: Database,
  chainId: number,
  blockHash: Hash,
  calls: readonly Call[],
) {
  const { rows } = await sql<{ index: number; answer: Hex; isOld: boolean }>`
    select index::int - 1 as index, answer,
      wanted_at < now() - ${recordInterval} as "isOld"
    from unnest(${calls.map(contractOf)}::text[], ${calls.map(({ data }) => data)}::text[])
      with ordinality as asked (contract, question, index)
    join chain_answers using (contract, question)
    where chain_id = ${chainId} and block_hash = ${blockHash}
  `.execute(database);
  return rows.flatMap(({ index, ...row }) => {
    const call = calls[index];
    return call === undefined ? [] : [{ call, ...row }];
  });
}

/** Returns a chain's calls whose results were used recently. */
export async function findRecentCalls(
  database: Database,
  chainId: number,
): Promise<readonly Omit<Call, "answer">[]> {
  return database
    .selectFrom("chain_answers")
    .select(["contract as to", "question as data"])
    .where("chain_id", "=", chainId)
    .where("wanted_at", ">", sql<Date>`now() - ${refreshWindow}`)
    .orderBy("wanted_at", "desc")
    .limit(maxRefreshed)
    .execute();
}

/**
 * Stores results with the hash of their block.
 *
 * Input: `areWanted` determines whether this counts as a use of the results.
 */
export async function writeAnswers(
  database: Database,
  chainId: number,
  calls: ReadonlyMap<Call, Hash>,
  areWanted: boolean,
): Promise<void> {
  const all = [...calls.keys()];
  const wantedAt = areWanted ? sql`now()` : sql`known.wanted_at`;
  // Sort the rows, so that concurrent instances do not deadlock.
  await sql`
    insert into chain_answers as known
      (chain_id, contract, question, answer, block_hash)
    select ${chainId}, read.* from (
      select distinct on (contract, question) *
      from unnest(
        ${all.map(contractOf)}::text[], ${all.map(({ data }) => data)}::text[],
        ${all.map(({ answer }) => answer)}::text[], ${[...calls.values()]}::text[]
      ) as _ (contract, question, answer, block_hash)
      order by contract, question
    ) as read
    on conflict (chain_id, contract, question) do update
    set answer = excluded.answer, block_hash = excluded.block_hash,
      wanted_at = ${wantedAt}`.execute(database);
}

/** Removes results that were not used recently. */
export async function removeUnwanted(
  database: Database,
  chainId: number,
): Promise<void> {
  await sql`
    delete from chain_answers where ctid in (
      select ctid from chain_answers
      where chain_id = ${chainId} and wanted_at < now() - ${refreshWindow}
      for update skip locked)`.execute(database);
}

function contractOf({ to }: Pick<Call, "to">): string {
  return to.toLowerCase();
}
