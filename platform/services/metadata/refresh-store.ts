import { sql } from "kysely";

import { PermissionDeniedError } from "../../../generated/errors.js";
import type { RefreshStatus } from "../../../generated/metadata/types.js";
import { countUpTo, requireRoom } from "../../database/require-room.js";
import type { Database, Transaction } from "../../database/schema.js";
import { enqueue } from "../../queue/enqueue.js";

/** A request to refresh tokens of a contract. */
export interface NewRefresh {
  readonly projectId: number;
  readonly chainId: number;
  /** The contract, in lowercase. */
  readonly contract: string;
  readonly tokenIds: readonly string[];
  /** Whether to also refresh all stored tokens of the contract. */
  readonly isForAll: boolean;
}

/** A task that refreshes tokens. */
export interface RefreshTask {
  readonly id: number;
  readonly chainId: number;
  readonly contract: string;
}

/** The queue of tasks. The key of each job is the task's ID. */
export const refreshQueue = "metadata-refresh";

/** Limits on the unfinished tasks of a project. */
export interface RefreshLimits {
  readonly maxTasks: number;
  /**
   * The number of unread tokens at which no further task for all tokens is
   * accepted, and the maximum number of stored tokens of such a task.
   */
  readonly maxTokens: number;
}

/**
 * Creates a task, which runs as soon as possible.
 *
 * Returns the task's ID.
 * Errors: `PermissionDenied` if the project has reached a limit, or the contract
 * has too many tokens.
 */
export function createRefresh(
  database: Database,
  { projectId, chainId, contract, tokenIds, isForAll }: NewRefresh,
  limits: RefreshLimits,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await requireRefreshRoom(transaction, projectId, isForAll, limits);
    const { id } = await transaction
      .insertInto("metadata_refreshes")
      .values({
        project_id: projectId,
        chain_id: chainId,
        contract,
        status: "QUEUED",
        updated_at: sql<Date>`now()`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { maxTokens } = limits;
    const stored = sql`
      token_metadata
      where ${isForAll}::boolean and chain_id = ${chainId}
        and contract = ${contract}`;
    // Anyone can ask for tokens that do not exist.
    const found = sql`select from ${stored} and outcome <> 'missing'`;
    if ((await countUpTo(transaction, maxTokens + 1, found)) > maxTokens) {
      const cause = `the contract has more than ${maxTokens} stored tokens, which is the maximum for a task`;
      throw new PermissionDeniedError({ cause });
    }
    await sql`
      insert into metadata_refresh_tokens (refresh_id, token_id)
      select ${id}::bigint, unnest(${tokenIds}::text[])
      union (
        select ${id}::bigint, token_id from ${stored}
        order by outcome = 'missing', token_id limit ${maxTokens}
      )`.execute(transaction);
    await enqueue(transaction, refreshQueue, [
      { key: String(id), payload: null, lane: String(projectId) },
    ]);
    return id;
  });
}

async function requireRefreshRoom(
  transaction: Transaction,
  projectId: number,
  isForAll: boolean,
  { maxTasks, maxTokens }: RefreshLimits,
): Promise<void> {
  const tasks = { projectId, max: maxTasks, what: "unfinished refresh tasks" };
  await requireRoom(
    transaction,
    tasks,
    sql`
      select from metadata_refreshes
      where project_id = ${projectId} and ${isUnfinished}`,
  );
  // A request can list only a few token IDs.
  if (!isForAll) return;
  const tokens = { projectId, max: maxTokens, what: "tokens left to refresh" };
  await requireRoom(
    transaction,
    tokens,
    sql`
      select from metadata_refreshes
      join metadata_refresh_tokens on refresh_id = id
      where project_id = ${projectId} and ${isUnfinished}`,
  );
}

const isUnfinished = sql`status not in ('COMPLETED', 'FAILED')`;

/** Returns the status of a project's task, or null if there is none. */
export async function findRefreshStatus(
  database: Database,
  projectId: number,
  id: number,
): Promise<RefreshStatus | null> {
  const row = await database
    .selectFrom("metadata_refreshes")
    .select("status")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row?.status ?? null;
}

/** Updates the status of a task. Returns the task, or null if there is none. */
export async function setRefreshStatus(
  database: Database,
  id: number,
  status: RefreshStatus,
): Promise<RefreshTask | null> {
  const row = await database
    .updateTable("metadata_refreshes")
    .set({ status, updated_at: sql<Date>`now()` })
    .where("id", "=", id)
    .returning(["id", "chain_id as chainId", "contract"])
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the tokens that a task has not read yet, starting after a given
 * token.
 */
export async function findRefreshTokens(
  database: Database,
  id: number,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("metadata_refresh_tokens")
    .select("token_id")
    .where("refresh_id", "=", id)
    .where("token_id", ">", after)
    .orderBy("token_id")
    .limit(limit)
    .execute();
  return rows.map(({ token_id }) => token_id);
}

/** Marks tokens of a task as read. */
export async function finishRefreshTokens(
  database: Database,
  id: number,
  tokenIds: readonly string[],
): Promise<void> {
  await database
    .deleteFrom("metadata_refresh_tokens")
    .where("refresh_id", "=", id)
    .where(sql<boolean>`token_id = any(${tokenIds}::text[])`)
    .execute();
}
