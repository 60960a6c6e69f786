import type { ColumnType, Generated } from "kysely";

/** The permissions of a secret key. */
export type Scope = "read" | "write";

/** A timestamp that the database sets by default. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** Projects, which own all other data. */
export interface ProjectTable {
  readonly id: Generated<number>;
  name: string;
  readonly created_at: CreatedAt;
  /**
   * How many webhook secrets the project has had, including the current one.
   */
  webhook_secret_version: Generated<number>;
  /**
   * When the current secret replaced another one, or null if it is the first
   * one.
   */
  webhook_secret_rotated_at: Date | null;
  /**
   * The oldest version that signs webhooks during the day after a rotation. Null
   * for the one before the current one.
   */
  webhook_secret_kept_version: Generated<number | null>;
}

/** The columns that access keys and secret keys share. */
export interface KeyTable {
  readonly project_id: number;
  /** HMAC of the key. The key itself is not stored. */
  hash: Buffer;
  readonly name: Generated<string>;
  /** The last characters of the key. */
  readonly ending: Generated<string>;
  readonly created_at: CreatedAt;
  /** When the key was last used, accurate to within a few seconds. */
  last_used_at: Date | null;
  /** When a key that was replaced ends, or null if it was not replaced. */
  ends_at: Date | null;
  revoked_at: Date | null;
}

/** Public access keys. */
export interface AccessKeyTable extends KeyTable {
  readonly id: Generated<number>;
}

/** Secret keys, which are tokens. */
export interface SecretTable extends KeyTable {
  /** The `jti` claim of the token. */
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: Date;
}

/** Data about the platform itself. The table has a single row. */
export interface PlatformTable {
  readonly is_only: Generated<boolean>;
  /** A check value for the secret that all keys are derived from. */
  secret_check: Buffer;
  demo_project_id: number | null;
}

/** Token buckets. A missing bucket is full. */
export interface RateLimitTable {
  /** A hash of the limiter's name and the caller. */
  readonly bucket: string;
  /** The number of tokens that the latest statement took. */
  granted: number;
  asked_at: Date;
  /** The time when the bucket will be full if no more tokens are taken. */
  full_at: Date;
}
