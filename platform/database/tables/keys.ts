import type { ColumnType, Generated } from "kysely";

/** What a secret allows. */
export type Scope = "read" | "write";

/** Tables of projects and of their keys. */
export interface KeyTables {
  readonly platform: PlatformTable;
  readonly projects: ProjectTable;
  readonly access_keys: AccessKeyTable;
  readonly secrets: SecretTable;
  readonly rate_limits: RateLimitTable;
}

/** A moment that the database fills in. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** Projects, to which all else belongs. */
export interface ProjectTable {
  readonly id: Generated<number>;
  name: string;
  readonly created_at: CreatedAt;
  /** How many secrets its webhooks have had, the current one included. */
  webhook_secret_version: Generated<number>;
  /** When the current one replaced another; null: never. */
  webhook_secret_rotated_at: Date | null;
}

/** Public access keys. */
export interface AccessKeyTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  /** HMAC of the key, which itself is not kept. */
  readonly hash: Buffer;
  readonly name: Generated<string>;
  /** Its last characters. */
  readonly ending: Generated<string>;
  readonly created_at: CreatedAt;
  /** To within some seconds. */
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Secret keys. */
export interface SecretTable {
  /** Claim `jti` of the token. */
  readonly id: string;
  readonly project_id: number;
  /** HMAC of the token, which itself is not kept. */
  readonly hash: Buffer;
  readonly name: Generated<string>;
  /** Its last characters. */
  readonly ending: Generated<string>;
  readonly scopes: readonly Scope[];
  readonly expires_at: Date;
  readonly created_at: CreatedAt;
  /** To within some seconds. */
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** What is there once; a single row. */
export interface PlatformTable {
  readonly is_only: Generated<boolean>;
  /** Of the secret that all keys are derived from. */
  readonly secret_check: Buffer;
  demo_project_id: number | null;
}

/** Buckets of tokens. A bucket that is full need not be there. */
export interface RateLimitTable {
  /** Hash of the limiter's name and the caller. */
  readonly bucket: string;
  /** How many tokens the last request got. */
  granted: number;
  asked_at: Date;
  /** When it has all of its tokens, if none is taken before. */
  full_at: Date;
}
