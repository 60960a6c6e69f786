import { sql } from "kysely";

import {
  NotFoundError,
  PermissionDeniedError,
} from "../../../generated/errors.js";
import type {
  WebhookFilter,
  WebhookListener,
} from "../../../generated/indexer/types.js";
import { requireRoom } from "../../database/require-room.js";
import type { Database, Row, Transaction } from "../../database/schema.js";

/** A listener to store. */
export interface NewListener {
  readonly projectId: number;
  readonly chainId: number;
  readonly url: string;
  readonly filters: WebhookFilter;
}

/**
 * Stores a listener.
 *
 * Input: `max` is the limit on listeners per project and chain.
 * Errors: `PermissionDenied` if the project has reached it.
 */
export function saveListener(
  database: Database,
  { projectId, chainId, url, filters }: NewListener,
  max: number,
): Promise<Row<"webhook_listeners">> {
  return database.transaction().execute(async (transaction) => {
    await requireListenerRoom(transaction, projectId, chainId, max);
    return transaction
      .insertInto("webhook_listeners")
      .values({
        project_id: projectId,
        chain_id: chainId,
        url,
        filters: JSON.stringify(filters),
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

function requireListenerRoom(
  transaction: Transaction,
  projectId: number,
  chainId: number,
  max: number,
): Promise<void> {
  const what = `webhook listeners on chain ${chainId}`;
  return requireRoom(
    transaction,
    { projectId, max, what },
    sql`
      select from webhook_listeners
      where chain_id = ${chainId} and project_id = ${projectId}
        and active and deleted_at is null`,
  );
}

/**
 * Reactivates a listener that was ended by a 410 response.
 *
 * Input: `max` is the limit on listeners per project and chain.
 * Returns null if the project has no such listener or it is deleted.
 * Errors: `PermissionDenied` if the project has reached the limit.
 */
export function resumeListener(
  database: Database,
  projectId: number,
  id: number,
  max: number,
): Promise<Row<"webhook_listeners"> | null> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom("webhook_listeners")
      .selectAll()
      .where("id", "=", id)
      .where("project_id", "=", projectId)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || row.active) return row ?? null;
    await requireListenerRoom(transaction, projectId, row.chain_id, max);
    return transaction
      .updateTable("webhook_listeners")
      .set({ active: true, updated_at: sql<Date>`now()` })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Identifies a listener of a project. */
export interface ListenerPlace {
  readonly projectId: number;
  readonly chainId: number;
  /** The ID of the listener, in decimal digits. */
  readonly id: string;
}

/** The largest possible ID. */
const maxId = 2n ** 63n - 1n;

/**
 * Deletes a listener. Has no effect if it is already deleted.
 *
 * Errors: `NotFound` if the chain has no such listener, `PermissionDenied` if
 * it belongs to a different project.
 */
export async function deleteListener(
  database: Database,
  { projectId, chainId, id }: ListenerPlace,
): Promise<void> {
  const row =
    BigInt(id) > maxId
      ? undefined
      : await database
          .selectFrom("webhook_listeners")
          .select(["id", "project_id"])
          .where(sql<boolean>`id = ${id}::bigint`)
          .where("chain_id", "=", chainId)
          .executeTakeFirst();
  if (row === undefined) {
    throw new NotFoundError({
      cause: `id: there is no listener ${id} on this chain`,
    });
  }
  if (row.project_id !== projectId) {
    const cause = `id: the listener ${id} belongs to another project`;
    throw new PermissionDeniedError({ cause });
  }
  const now = sql<Date>`now()`;
  await database
    .updateTable("webhook_listeners")
    .set({ deleted_at: now, updated_at: now })
    .where("id", "=", row.id)
    .where("deleted_at", "is", null)
    .execute();
}

/**
 * Converts a row to the listener that callers of the public service receive.
 */
export function toWebhookListener(
  row: Row<"webhook_listeners">,
): WebhookListener {
  return {
    id: String(row.id),
    projectID: row.project_id,
    url: row.url,
    filters: row.filters,
    name: row.name,
    updatedAt: row.updated_at.toISOString(),
    active: row.active,
  };
}
