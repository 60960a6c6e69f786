import { randomBytes } from "node:crypto";

import { SessionExpiredError } from "../../../generated/errors.js";
import { hashKey } from "../../keys/access-key.js";
import type { KeyStore } from "../../keys/key-store.js";

/** A valid session. */
export interface OperatorSession {
  readonly operator: string;
  readonly expiresAt: Date;
}

/** Starts a session and returns its secret, of which only a hash is stored. */
export async function startSession(
  { database, keys }: KeyStore,
  { expiresAt, operator }: OperatorSession,
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const hash = hashKey(keys.hashing, secret);
  await database
    .insertInto("operator_sessions")
    .values({ hash, operator, expires_at: expiresAt })
    .execute();
  return secret;
}

/**
 * Finds a session by its secret, or returns null if there is none.
 *
 * Errors: `SessionExpired`.
 */
export async function findSession(
  { database, keys }: KeyStore,
  secret: string,
): Promise<OperatorSession | null> {
  const row = await database
    .selectFrom("operator_sessions")
    .select(["operator", "expires_at"])
    .where("hash", "=", hashKey(keys.hashing, secret))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.expires_at.getTime() <= Date.now()) throw new SessionExpiredError();
  return { operator: row.operator, expiresAt: row.expires_at };
}

/** Ends a session. Has no effect if it has already ended. */
export async function endSession(
  { database, keys }: KeyStore,
  secret: string,
): Promise<void> {
  await database
    .deleteFrom("operator_sessions")
    .where("hash", "=", hashKey(keys.hashing, secret))
    .execute();
}
