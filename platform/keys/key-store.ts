import { randomUUID, timingSafeEqual } from "node:crypto";

import { sql } from "kysely";

import { SessionExpiredError } from "../../generated/errors.js";
import type { Database, Row } from "../database/schema.js";
import {
  hashesOf,
  hashKey,
  makeAccessKey,
  projectOfAccessKey,
} from "./access-key.js";
import type { MasterKeys } from "./master-secret.js";
import { readSecret, signSecret } from "./secret.js";
import type { Scope } from "../database/tables/keys.js";

/** The database and the derived keys needed to create and find keys. */
export interface KeyStore {
  readonly database: Database;
  readonly keys: MasterKeys;
}

/** A secret to create. */
export interface NewSecret {
  readonly projectId: number;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** A name for the secret. The default is empty. */
  readonly name?: string;
  /** The ID. By default, it is random. */
  readonly id?: string;
  readonly issuedAt?: Date;
}

/** An access key to create. */
export interface NewAccessKey {
  readonly projectId: number;
  /** A name for the key. The default is empty. */
  readonly name?: string;
  /** The key. By default, it is random. */
  readonly accessKey?: string;
}

/** A newly created key. */
export interface CreatedKey<Table extends "access_keys" | "secrets"> {
  /** The stored row. */
  readonly row: Row<Table>;
  /** The key itself, which is not stored. */
  readonly key: string;
}

/** Creates a project. */
export function createProject(
  { database }: Pick<KeyStore, "database">,
  name: string,
): Promise<Row<"projects">> {
  return database
    .insertInto("projects")
    .values({ name })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The number of trailing characters that are stored to identify a key. */
const endingLength = 4;

/**
 * Creates an access key for a project. If the key already exists, only its
 * stored ending is updated.
 *
 * Errors: Error if the project does not exist.
 */
export async function createAccessKey(
  { database, keys }: KeyStore,
  { projectId, name = "", ...given }: NewAccessKey,
): Promise<CreatedKey<"access_keys">> {
  const { accessKey: key = makeAccessKey(projectId) } = given;
  const ending = key.slice(-endingLength);
  const row = await database
    .insertInto("access_keys")
    .values({
      project_id: projectId,
      hash: hashKey(keys, key),
      name,
      ending,
    })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet({ ending }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, key };
}

/**
 * Creates a secret for a project. If a secret with its ID already exists, only
 * the stored ending is updated.
 *
 * Errors: Error if the project does not exist.
 */
export async function createSecret(
  { database, keys }: KeyStore,
  { projectId, scopes, expiresAt, name = "", ...given }: NewSecret,
): Promise<CreatedKey<"secrets">> {
  const { id = randomUUID(), issuedAt = new Date() } = given;
  const secret = { id, projectId, scopes, issuedAt, expiresAt };
  const key = await signSecret(keys.signing, secret);
  const ending = key.slice(-endingLength);
  const row = await database
    .insertInto("secrets")
    .values({
      id,
      project_id: projectId,
      hash: hashKey(keys, key),
      name,
      ending,
      scopes,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ ending }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, key };
}

/**
 * Revokes an access key or a secret.
 *
 * Returns its project, or null if no key was revoked.
 */
export async function revokeKey(
  { database, keys }: KeyStore,
  key: string,
): Promise<number | null> {
  const table = projectOfAccessKey(key) === null ? "secrets" : "access_keys";
  const row = await database
    .updateTable(table)
    .set({ revoked_at: new Date() })
    .where("hash", "in", hashesOf(keys, key))
    .where("revoked_at", "is", null)
    .returning("project_id")
    .executeTakeFirst();
  return row?.project_id ?? null;
}

/**
 * Replaces the hash of a key that was created before the platform's secret was
 * replaced. Has no effect on other keys.
 */
export async function renewHash(
  { database, keys }: KeyStore,
  table: "access_keys" | "secrets",
  key: string,
): Promise<void> {
  if (keys.old === null) return;
  await database
    .updateTable(table)
    .set({ hash: hashKey(keys, key) })
    .where("hash", "in", hashesOf(keys.old, key))
    .execute();
}

/** The permissions of a valid secret. */
export interface SecretGrant {
  /** The ID of the secret. */
  readonly id: string;
  readonly projectId: number;
  readonly scopes: readonly Scope[];
}

/**
 * Returns the permissions of a secret, or null if it is not valid.
 *
 * Errors: `SessionExpired`.
 */
export async function findSecret(
  { database, keys }: KeyStore,
  token: string,
): Promise<SecretGrant | null> {
  const claims = await readSecret(keys.signing, token);
  if (claims === null) return null;
  const row = await database
    .selectFrom("secrets")
    .select(["hash", "project_id", "revoked_at", "scopes"])
    .where("id", "=", claims.id)
    .where(sql<boolean>`(ends_at is null or ends_at > now())`)
    .executeTakeFirst();
  if (row === undefined || row.revoked_at !== null) return null;
  // The hash proves that the platform created the token, even if it was signed
  // before the platform's secret was replaced.
  const [hash, ...old] = hashesOf(keys, token);
  const isOld = old.some((each) => timingSafeEqual(row.hash, each));
  if (hash === undefined) return null;
  if (!isOld && !timingSafeEqual(row.hash, hash)) return null;
  if (row.project_id !== claims.projectId) return null;
  if (claims.expiresAt.getTime() <= Date.now()) throw new SessionExpiredError();
  if (isOld) await renewHash({ database, keys }, "secrets", token);
  return { id: claims.id, projectId: row.project_id, scopes: row.scopes };
}
