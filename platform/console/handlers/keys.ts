import { type Selectable, sql } from "kysely";

import type { Database, Row } from "../../database/schema.js";
import type { KeyTable } from "../../database/tables/keys.js";
import {
  createAccessKey,
  createSecret,
  revokeKey,
} from "../../keys/key-store.js";
import type { KeysHandler } from "../generated/server.js";
import type { AccessKey, SecretKey } from "../generated/types.js";
import { readPart, readRows } from "../lists/paging.js";
import { notFound, requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

const dayMs = 24 * 60 * 60 * 1000;

/** Creates the handler for access keys and secret keys. */
export function createKeysHandler(
  parts: ConsoleParts,
): KeysHandler<OperatorState> {
  const { store } = parts;
  const { database } = store;
  return {
    ...createListers(parts),
    ...createRollers(parts),

    createAccessKey: async ({ projectId, name = "" }) => {
      await requireProject(database, projectId);
      const { key, row } = await createAccessKey(store, { projectId, name });
      return { accessKey: toAccessKey(row), key };
    },

    revokeAccessKey: async ({ id, projectId }) => {
      const row = await revokeById(database, "access_keys", projectId, id);
      if (row !== undefined) return { accessKey: toAccessKey(row) };
      return notFound("id", `the project has no access key ${id}`);
    },

    createSecretKey: async ({ days, name = "", projectId, scopes }) => {
      await requireProject(database, projectId);
      const expiresAt = new Date(Date.now() + days * dayMs);
      const wanted = { projectId, name, scopes, expiresAt };
      const { key, row } = await createSecret(store, wanted);
      return { secretKey: toSecretKey(row), key };
    },

    revokeSecretKey: async ({ id, projectId }) => {
      const row = await revokeById(database, "secrets", projectId, id);
      if (row !== undefined) return { secretKey: toSecretKey(row) };
      return notFound("id", `the project has no secret key ${id}`);
    },

    revokeKey: async ({ key }, { state }) => {
      state.projectId = await revokeKey(store, key);
      if (state.projectId !== null) return {};
      return notFound(
        "key",
        "there is no such key, or it has already been revoked",
      );
    },
  };
}

/** Creates the methods that replace keys, with an overlap. */
function createRollers({ store }: ConsoleParts) {
  const { database } = store;
  return {
    rollAccessKey: ({ id, overlapHours, projectId }) =>
      database.transaction().execute(async (transaction) => {
        const place = { table: "access_keys", projectId, id } as const;
        const { name } = await endKey(transaction, place, overlapHours);
        const { key, row } = await createAccessKey(
          { ...store, database: transaction },
          { projectId, name },
        );
        return { accessKey: toAccessKey(row), key };
      }),

    rollSecretKey: ({ id, overlapHours, projectId }) =>
      database.transaction().execute(async (transaction) => {
        const place = { table: "secrets", projectId, id } as const;
        const old = await endKey(transaction, place, overlapHours);
        const lifetimeMs = old.expires_at.getTime() - old.created_at.getTime();
        const { key, row } = await createSecret(
          { ...store, database: transaction },
          {
            ...{ projectId, name: old.name, scopes: old.scopes },
            expiresAt: new Date(Date.now() + lifetimeMs),
          },
        );
        return { secretKey: toSecretKey(row), key };
      }),
  } satisfies Partial<KeysHandler<OperatorState>>;
}

/**
 * Makes a key end after some hours, unless it ends earlier. Errors: `NotFound`
 * if the project has no such key, or if it has been revoked.
 */
async function endKey<Table extends "access_keys" | "secrets">(
  database: Database,
  {
    id,
    projectId,
    table,
  }: {
    readonly table: Table;
    readonly projectId: number;
    readonly id: number | string;
  },
  hours: number,
): Promise<Row<Table>> {
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)}
    set ends_at = least(ends_at, now() + ${hours} * interval '1 hour')
    where id = ${id} and project_id = ${projectId} and revoked_at is null
    returning *`.execute(database);
  const [row] = rows;
  return row ?? notFound("id", `the project has no valid key ${id}`);
}

/** Creates the methods that list keys. */
function createListers({ store: { database } }: ConsoleParts) {
  return {
    listAccessKeys: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const rows = database
        .selectFrom("access_keys")
        .selectAll()
        .where("project_id", "=", projectId);
      const { items, next } = await readRows(rows, page);
      return { accessKeys: items.map(toAccessKey), ...next };
    },

    listSecretKeys: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const { items, next } = await readPart(
        page,
        (after, limit) =>
          database
            .selectFrom("secrets")
            .selectAll()
            .where("project_id", "=", projectId)
            .$if(after !== null, (query) =>
              query.where(
                sql<boolean>`(created_at, id) < (
                  select created_at, id from secrets where id = ${after}
                )`,
              ),
            )
            .orderBy("created_at", "desc")
            .orderBy("id", "desc")
            .limit(limit)
            .execute(),
        ({ id }) => id,
      );
      return { secretKeys: items.map(toSecretKey), ...next };
    },
  } satisfies Partial<KeysHandler<OperatorState>>;
}

/**
 * Revokes a key by ID. Keeps the time of the first revocation. Returns
 * undefined if the project has no such key.
 */
async function revokeById<Table extends "access_keys" | "secrets">(
  database: Database,
  table: Table,
  projectId: number,
  id: number | string,
): Promise<Row<Table> | undefined> {
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)} set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and project_id = ${projectId} returning *`.execute(
    database,
  );
  return rows[0];
}

/** Returns the properties that access keys and secret keys share. */
function toKeyFacts(row: Selectable<KeyTable>) {
  const { last_used_at: lastUsedAt, revoked_at: revokedAt } = row;
  const { ends_at: endsAt } = row;
  return {
    projectId: row.project_id,
    name: row.name,
    ending: row.ending,
    createdAt: row.created_at.toISOString(),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(endsAt !== null && { endsAt: endsAt.toISOString() }),
    ...(revokedAt !== null && { revokedAt: revokedAt.toISOString() }),
  };
}

function toAccessKey(row: Row<"access_keys">): AccessKey {
  return { id: row.id, ...toKeyFacts(row) };
}

function toSecretKey(row: Row<"secrets">): SecretKey {
  return {
    id: row.id,
    ...toKeyFacts(row),
    scopes: [...row.scopes],
    expiresAt: row.expires_at.toISOString(),
  };
}
