import { randomBytes } from "node:crypto";

import { SessionExpiredError } from "../../../generated/errors.js";
import { hashesOf, hashKey } from "../../keys/access-key.js";
import type { KeyStore } from "../../keys/key-store.js";

/** A valid session. */
export interface OperatorSession {
  readonly operator: string;
  readonly expiresAt: Date;
  /**
   * The hash of the operator's password when the session started, or null if an
   * older version started it.
   */
  readonly credential: Buffer | null;
}

/** Starts a session and returns its secret, of which only a hash is stored. */
export async function startSession(
  { database, keys }: KeyStore,
  { credential, expiresAt, operator }: OperatorSession,
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const hash = hashKey(keys, secret);
  await database
    .insertInto("operator_sessions")
    .values({ hash, operator, expires_at: expiresAt, credential })
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
    .select(["operator", "expires_at", "credential"])
    .where("hash", "in", hashesOf(keys, secret))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.expires_at.getTime() <= Date.now()) throw new SessionExpiredError();
  const { credential, expires_at: expiresAt, operator } = row;
  return { operator, expiresAt, credential };
}

/**
 * Ends all sessions of an operator, or of all operators for null. Returns how
 * many there were.
 */
export async function endSessions(
  { database }: KeyStore,
  operator: string | null,
): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom("operator_sessions")
    .$if(operator !== null, (query) => query.where("operator", "=", operator))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Ends a session. Has no effect if it has already ended. */
export async function endSession(
  { database, keys }: KeyStore,
  secret: string,
): Promise<void> {
  await database
    .deleteFrom("operator_sessions")
    .where("hash", "in", hashesOf(keys, secret))
    .execute();
}
