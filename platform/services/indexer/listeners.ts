import { sql } from "kysely";

import {
  NotFoundError,
  PermissionDeniedError,
} from "../../../generated/errors.js";
import type {
  WebhookFilter,
  WebhookListener,
} from "../../../generated/indexer/types.js";
import { lockRow } from "../../database/locks.js";
import { requireRoom } from "../../database/require-room.js";
import type { Database, Row, Transaction } from "../../database/schema.js";

/** A listener to store. */
export interface NewListener {
  readonly projectId: number;
  readonly chainId: number;
  readonly url: string;
  readonly filters: WebhookFilter;
}

/** The limits on the listeners of a project on a network. */
export interface ListenerLimits {
  readonly listenersPerProject: number;
  /** The maximum size of all filters, in characters of JSON. */
  readonly listenerFiltersPerProject: number;
}

/**
 * Stores a listener.
 *
 * Errors: `PermissionDenied` if the project has reached a limit.
 */
export function saveListener(
  database: Database,
  listener: NewListener,
  limits: ListenerLimits,
): Promise<Row<"webhook_listeners">> {
  const { projectId, chainId, url } = listener;
  const filters = JSON.stringify(listener.filters);
  return database.transaction().execute(async (transaction) => {
    const max = limits.listenersPerProject;
    await requireListenerRoom(transaction, projectId, chainId, max);
    await requireFilterRoom(
      transaction,
      { projectId, chainId, filters, exceptId: null },
      limits,
    );
    return transaction
      .insertInto("webhook_listeners")
      .values({
        ...{ project_id: projectId, chain_id: chainId, url, filters },
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** A change of a listener. */
export interface ListenerChange extends Omit<NewListener, "chainId"> {
  readonly id: number;
}

/**
 * Changes the URL and the filters of a listener. Returns null if the project has
 * no such listener or it is deleted.
 *
 * Errors: `PermissionDenied` if the project's filters become too large.
 */
export function changeListener(
  database: Database,
  { id, projectId, url, ...change }: ListenerChange,
  limits: ListenerLimits,
): Promise<Row<"webhook_listeners"> | null> {
  const filters = JSON.stringify(change.filters);
  return database.transaction().execute(async (transaction) => {
    await lockRow(transaction, "project", projectId);
    const row = await transaction
      .updateTable("webhook_listeners")
      .set({
        ...{ url, filters, set_aside_reason: null, set_aside_until: null },
        updated_at: sql<Date>`clock_timestamp()`,
      })
      .where("id", "=", id)
      .where("project_id", "=", projectId)
      .where("deleted_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    await requireFilterRoom(
      transaction,
      { projectId, chainId: row.chain_id, filters, exceptId: id },
      limits,
    );
    return row;
  });
}

/**
 * Checks that the filters of a project are not too large together with new
 * ones.
 */
async function requireFilterRoom(
  transaction: Transaction,
  {
    chainId,
    exceptId,
    filters,
    projectId,
  }: {
    readonly projectId: number;
    readonly chainId: number;
    readonly filters: string;
    /** The listener whose filters are replaced, or null. */
    readonly exceptId: number | null;
  },
  { listenerFiltersPerProject: max }: ListenerLimits,
): Promise<void> {
  const { total } = await transaction
    .selectFrom("webhook_listeners")
    .select(
      sql<number>`coalesce(sum(length(filters::text)), 0)::int`.as("total"),
    )
    .where("project_id", "=", projectId)
    .where("chain_id", "=", chainId)
    .where("deleted_at", "is", null)
    .where("id", "!=", exceptId ?? 0)
    .executeTakeFirstOrThrow();
  if (total + filters.length <= max) return;
  const cause = `the filters of the project's webhook listeners on chain ${chainId} would exceed ${max} characters`;
  throw new PermissionDeniedError({ cause });
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
 * Reactivates a listener that was ended by a 410 response, and forgets why it was
 * set aside.
 *
 * Returns null if the project has no such listener or it is deleted.
 * Errors: `PermissionDenied` if the project has reached a limit.
 */
export function resumeListener(
  database: Database,
  projectId: number,
  id: number,
  limits: ListenerLimits,
): Promise<Row<"webhook_listeners"> | null> {
  return database.transaction().execute(async (transaction) => {
    // Locking the listener first could deadlock with a change of it.
    await lockRow(transaction, "project", projectId);
    const row = await transaction
      .selectFrom("webhook_listeners")
      .selectAll()
      .where("id", "=", id)
      .where("project_id", "=", projectId)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.active && row.set_aside_reason === null) return row;
    if (!row.active) {
      const { chain_id: chainId } = row;
      const filters = JSON.stringify(row.filters);
      const max = limits.listenersPerProject;
      await requireListenerRoom(transaction, projectId, chainId, max);
      await requireFilterRoom(
        transaction,
        { projectId, chainId, filters, exceptId: id },
        limits,
      );
    }
    return transaction
      .updateTable("webhook_listeners")
      .set({
        ...{ active: true, set_aside_reason: null, set_aside_until: null },
        updated_at: sql<Date>`clock_timestamp()`,
      })
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

/** Filters that are stored for deleted listeners, so that they take little room. */
const noFilters = JSON.stringify({ contractAddresses: [], events: [] });

/**
 * Deletes a listener and its filters. Has no effect if it is already deleted.
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
    .set({ deleted_at: now, updated_at: now, filters: noFilters })

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
