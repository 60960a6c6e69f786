import { randomUUID, timingSafeEqual } from "node:crypto";

import type { Kysely } from "kysely";

import type { Tables } from "../database/schema.js";
import { hashKey, makeAccessKey, projectOfAccessKey } from "./access-key.js";
import type { MasterKeys } from "./master-secret.js";
import { readSecret, signSecret } from "./secret.js";
import type { Scope } from "../database/tables/keys.js";

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
  /** Made up unless given, as the next one. */
  readonly id?: string;
  readonly issuedAt?: Date;
}

/** Makes a project. Output: its number. */
export async function createProject(
  { database }: KeyStore,
  name: string,
): Promise<number> {
  const { id } = await database
    .insertInto("projects")
    .values({ name })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Gives a project an access key. Output: the key, which is not kept.
 *
 * Errors: Error when there is no such project.
 */
export async function createAccessKey(
  { database, keys }: KeyStore,
  projectId: number,
  accessKey: string = makeAccessKey(projectId),
): Promise<string> {
  const hash = hashKey(keys.hashing, accessKey);
  await database
    .insertInto("access_keys")
    .values({ project_id: projectId, hash })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  return accessKey;
}

/**
 * Gives a project a secret. Output: the secret, which is not kept.
 *
 * Errors: Error when there is no such project.
 */
export async function createSecret(
  { database, keys }: KeyStore,
  { projectId, scopes, expiresAt, ...given }: NewSecret,
): Promise<string> {
  const { id = randomUUID(), issuedAt = new Date() } = given;
  const secret = { id, projectId, scopes, issuedAt, expiresAt };
  const token = await signSecret(keys.signing, secret);
  await database
    .insertInto("secrets")
    .values({
      id,
      project_id: projectId,
      hash: hashKey(keys.hashing, token),
      scopes,
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return token;
}

/**
 * Makes an access key or a secret worthless from now on.
 *
 * Output: whether there was one that was not revoked yet.
 */
export async function revokeKey(
  { database, keys }: KeyStore,
  key: string,
): Promise<boolean> {
  const table = projectOfAccessKey(key) === null ? "secrets" : "access_keys";
  const { numUpdatedRows } = await database
    .updateTable(table)
    .set({ revoked_at: new Date() })
    .where("hash", "=", hashKey(keys.hashing, key))
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** What a secret that holds good allows. */
export interface SecretGrant {
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
  return { projectId: row.project_id, scopes: row.scopes };
}

/** In a time that does not tell where they differ. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
