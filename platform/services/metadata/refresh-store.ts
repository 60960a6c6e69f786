import { type RawBuilder, sql } from "kysely";

import type { RefreshStatus } from "../../../generated/metadata/types.js";
import { lockRow } from "../../database/locks.js";
import { countUpTo, requireRoom } from "../../database/require-room.js";
import type { Database, Transaction } from "../../database/schema.js";
import { enqueue } from "../../queue/enqueue.js";
import { isUsable } from "./token-store.js";

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
  readonly projectId: number;
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
   * accepted, and up to which such tasks add stored tokens.
   */
  readonly maxTokens: number;
}

/**
 * Creates a task, which runs as soon as possible.
 *
 * Returns the task's ID.
 * Errors: `PermissionDenied` if the project has reached a limit.
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
    await sql`
      insert into metadata_refresh_tokens (refresh_id, token_id)
      select ${id}::bigint, unnest(${tokenIds}::text[])
      on conflict do nothing`.execute(transaction);
    const task = { id, projectId, chainId, contract };
    const rest = isForAll
      ? await addTokens(transaction, task, "", limits.maxTokens)
      : null;
    await enqueue(transaction, refreshQueue, [
      { key: String(id), payload: { rest }, lane: String(projectId) },
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
  await requireRoom(transaction, tokens, tokensLeftOf(projectId));
}

/** Selects the tokens of all tasks of a project. */
function tokensLeftOf(projectId: number): RawBuilder<unknown> {
  return sql`
    select from metadata_refreshes
    join metadata_refresh_tokens on refresh_id = id
    where project_id = ${projectId} and ${isUnfinished}`;
}

/**
 * Adds stored tokens to a task for all of them, in order, as many as its project
 * has room for. Leaves out those that are read again on request, and those that
 * were stored after the task was created, because anyone can ask for any number.
 *
 * Input: `after` is the last token that was added, or "" at the start.
 * Returns the last token that has been added now, or null if there are no more.
 */
export function addStoredTokens(
  database: Database,
  task: RefreshTask,
  after: string,
  maxTokens: number,
): Promise<string | null> {
  return database.transaction().execute(async (transaction) => {
    await lockRow(transaction, "project", task.projectId);
    return addTokens(transaction, task, after, maxTokens);
  });
}

/** The same for a project that is locked. */
async function addTokens(
  transaction: Transaction,
  { id, chainId, contract, projectId }: RefreshTask,
  after: string,
  maxTokens: number,
): Promise<string | null> {
  const tokensLeft = tokensLeftOf(projectId);
  const room =
    maxTokens - (await countUpTo(transaction, maxTokens, tokensLeft));
  if (room === 0) return after;
  const { rows } = await sql<{
    readonly count: number;
    readonly last: string | null;
  }>`
    with piece as (
      select token_id from token_metadata
      where chain_id = ${chainId} and contract = ${contract}
        and token_id > ${after} and ${isUsable}
        -- Without the index of times, which has the documents of all contracts.
        and saved_at - (
          select created_at from metadata_refreshes where id = ${id}
        ) <= interval '0'
      order by token_id limit ${room}
    ), added as (
      insert into metadata_refresh_tokens (refresh_id, token_id)
      select ${id}::bigint, token_id from piece on conflict do nothing
    )
    select count(*)::int as count, max(token_id) as last from piece`.execute(
    transaction,
  );
  const [{ count, last } = { count: 0, last: null }] = rows;
  return count < room ? null : last;
}

/**
 * Returns whether earlier tasks of the same project have tokens left. Later ones
 * do not count, so two tasks never wait for each other.
 */
export async function isBehindOthers(
  database: Database,
  { id, projectId }: RefreshTask,
): Promise<boolean> {
  const earlier = sql`${tokensLeftOf(projectId)} and id < ${id}`;
  return (await countUpTo(database, 1, earlier)) > 0;
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
    .returning([
      ...(["id", "contract"] as const),
      ...(["project_id as projectId", "chain_id as chainId"] as const),
    ])
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
