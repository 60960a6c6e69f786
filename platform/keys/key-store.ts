import { randomUUID, timingSafeEqual } from "node:crypto";

import type { Kysely, Selectable } from "kysely";

import type { Tables } from "../database/schema.js";
import { hashKey, makeAccessKey, projectOfAccessKey } from "./access-key.js";
import type { MasterKeys } from "./master-secret.js";
import { readSecret, signSecret } from "./secret.js";
import type {
  AccessKeyTable,
  ProjectTable,
  Scope,
  SecretTable,
} from "../database/tables/keys.js";

/** What keys are made and looked up with. */
export interface KeyStore {
  readonly database: Kysely<Tables>;
  readonly keys: MasterKeys;
}

/** A secret to make. */
export interface NewSecret {
  readonly projectId: number;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** What its makers call it; nothing unless given. */
  readonly name?: string;
  /** Made up unless given, as the next one. */
  readonly id?: string;
  readonly issuedAt?: Date;
}

/** An access key to make. */
export interface NewAccessKey {
  readonly projectId: number;
  /** What its makers call it; nothing unless given. */
  readonly name?: string;
  /** Made up unless given. */
  readonly accessKey?: string;
}

/** A key that was made. */
export interface MadeKey<Row> {
  /** What is kept of it. */
  readonly row: Selectable<Row>;
  /** The key itself, which is not kept. */
  readonly key: string;
}

/** Makes a project. */
export function createProject(
  { database }: Pick<KeyStore, "database">,
  name: string,
): Promise<Selectable<ProjectTable>> {
  return database
    .insertInto("projects")
    .values({ name })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many of its last characters tell a key from others. */
const endingLength = 4;

/**
 * Gives a project an access key; one that is there stays as it is.
 *
 * Errors: Error when there is no such project.
 */
export async function createAccessKey(
  { database, keys }: KeyStore,
  { projectId, name = "", ...given }: NewAccessKey,
): Promise<MadeKey<AccessKeyTable>> {
  const { accessKey: key = makeAccessKey(projectId) } = given;
  const ending = key.slice(-endingLength);
  const row = await database
    .insertInto("access_keys")
    .values({
      project_id: projectId,
      hash: hashKey(keys.hashing, key),
      name,
      ending,
    })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet({ ending }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, key };
}

/**
 * Gives a project a secret; one that is there stays as it is.
 *
 * Errors: Error when there is no such project.
 */
export async function createSecret(
  { database, keys }: KeyStore,
  { projectId, scopes, expiresAt, name = "", ...given }: NewSecret,
): Promise<MadeKey<SecretTable>> {
  const { id = randomUUID(), issuedAt = new Date() } = given;
  const secret = { id, projectId, scopes, issuedAt, expiresAt };
  const key = await signSecret(keys.signing, secret);
  const ending = key.slice(-endingLength);
  const row = await database
    .insertInto("secrets")
    .values({
      id,
      project_id: projectId,
      hash: hashKey(keys.hashing, key),
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
 * Makes an access key or a secret worthless from now on.
 *
 * Output: its project; null if there was none that was not revoked yet.
 */
export async function revokeKey(
  { database, keys }: KeyStore,
  key: string,
): Promise<number | null> {
  const table = projectOfAccessKey(key) === null ? "secrets" : "access_keys";
  const row = await database
    .updateTable(table)
    .set({ revoked_at: new Date() })
    .where("hash", "=", hashKey(keys.hashing, key))
    .where("revoked_at", "is", null)
    .returning("project_id")
    .executeTakeFirst();
  return row?.project_id ?? null;
}

/** What a secret that holds good allows. */
export interface SecretGrant {
  /** That of the secret. */
  readonly id: string;
  readonly projectId: number;
  readonly scopes: readonly Scope[];
}

/** The project of an access key that holds good; null for others. */
export async function findAccessKey(
  { database, keys }: KeyStore,
  accessKey: string,
): Promise<{ readonly id: number; readonly projectId: number } | null> {
  const projectId = projectOfAccessKey(accessKey);
  if (projectId === null) return null;
  const hash = hashKey(keys.hashing, accessKey);
  const row = await database
    .selectFrom("access_keys")
    .select(["id", "hash", "project_id", "revoked_at"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (row === undefined || !isSame(row.hash, hash)) return null;
  if (row.revoked_at !== null || row.project_id !== projectId) return null;
  return { id: row.id, projectId };
}

/**
 * What a secret allows; null when it does not hold good.
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
    .executeTakeFirst();
  if (row === undefined || row.revoked_at !== null) return null;
  if (!isSame(row.hash, hashKey(keys.hashing, token))) return null;
  if (row.project_id !== claims.projectId) return null;
  return { id: claims.id, projectId: row.project_id, scopes: row.scopes };
}

/** In a time that does not tell where they differ. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
