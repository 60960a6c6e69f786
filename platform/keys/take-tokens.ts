import { type RawBuilder, sql } from "kysely";

import { prepare } from "../database/prepared.js";
import type { Database } from "../database/schema.js";
import type { RateLimitSettings } from "../settings/read-settings.js";

/** A request for tokens from a bucket. */
export interface WantedTokens {
  readonly bucket: string;
  readonly count: number;
}

/** The result of taking tokens from a bucket. */
export interface TakenTokens {
  readonly bucket: string;
  /** The number of tokens taken. */
  readonly granted: number;
  /** The time until the next token, or 0 if one is available now. */
  readonly emptyForMs: number;
}

/** A request for tokens for an access key. */
export interface WantedKeyTokens extends WantedTokens {
  /** A hash that the key may have. */
  readonly hash: Buffer;
}

/** The result of taking tokens for a valid access key. */
export interface TakenKeyTokens extends TakenTokens {
  /** The ID of the key. */
  readonly id: number;
  /** The hash of the key in the database. */
  readonly hash: Buffer;
  readonly projectId: number;
}

/**
 * Takes tokens from buckets, up to the number that each contains. Buckets are
 * refilled according to the database's clock.
 *
 * Input: distinct buckets.
 * Returns one result per bucket, in any order.
 * Errors: `Unavailable` if the database does not respond.
 */
export function takeTokens(
  database: Database,
  limit: RateLimitSettings,
  wanted: readonly WantedTokens[],
): Promise<readonly TakenTokens[]> {
  return takeFromBuckets(
    database,
    limit.burst,
    limit.requestsPerSecond,
    wanted.map(({ bucket }) => bucket),
    wanted.map(({ count }) => count),
  );
}

// Both sort the rows, so that concurrent instances do not deadlock.
const takeFromBuckets = prepare(
  (
    database,
    burst: number,
    requestsPerSecond: number,
    buckets: readonly string[],
    counts: readonly number[],
  ) =>
    sql<TakenTokens>`
      with asked as (
        select bucket, wanted, clock_timestamp() as asked_at
        from unnest(${buckets}::text[], ${counts}::int[]) as _ (bucket, wanted)
        order by bucket
      )
      ${takeAsked({ burst, requestsPerSecond })}`.compile(database),
);

/**
 * Finds access keys and takes tokens from their buckets in one statement, like
 * `takeTokens`.
 *
 * Input: distinct hashes. Those of the same key have the same bucket.
 * Returns one result per valid key.
 */
export function takeKeyTokens(
  database: Database,
  limit: RateLimitSettings,
  wanted: readonly WantedKeyTokens[],
): Promise<readonly TakenKeyTokens[]> {
  return takeFromKeys(
    database,
    limit.burst,
    limit.requestsPerSecond,
    wanted.map(({ bucket }) => bucket),
    wanted.map(({ count }) => count),
    wanted.map(({ hash }) => hash),
  );
}

const takeFromKeys = prepare(
  (
    database,
    burst: number,
    requestsPerSecond: number,
    buckets: readonly string[],
    counts: readonly number[],
    hashes: readonly Buffer[],
  ) =>
    sql<TakenKeyTokens>`
      with asked as (
        select bucket, wanted, clock_timestamp() as asked_at, id, project_id, hash
        from unnest(${buckets}::text[], ${counts}::int[], ${hashes}::bytea[])
          as _ (bucket, wanted, hash)
        join access_keys using (hash)
        where revoked_at is null and (ends_at is null or ends_at > now())
        order by bucket
      ), taken as (${takeAsked({ burst, requestsPerSecond })})
      select taken.*, id, hash, project_id as "projectId"
      from taken join asked using (bucket)`.compile(database),
);

/** Returns SQL that takes the tokens that the rows of `asked` request. */
function takeAsked({
  burst,
  requestsPerSecond,
}: RateLimitSettings): RawBuilder<unknown> {
  const size = sql`${burst}::int`;
  const rate = sql`${requestsPerSecond}::float8`;
  return sql`
    insert into rate_limits as known (bucket, granted, asked_at, full_at)
    select bucket, least(wanted, ${size}), asked_at,
      asked_at + make_interval(secs => least(wanted, ${size})::float8 / ${rate})
    from asked
    on conflict (bucket) do update
    set (granted, asked_at, full_at) = (
      select taken, now, filled + make_interval(secs => taken::float8 / ${rate})
      from (select greatest(excluded.asked_at, known.asked_at) as now) as _,
        lateral (select greatest(now, known.full_at) as filled) as __,
        lateral (select least(excluded.granted, floor(
          ${size} - extract(epoch from filled - now) * ${rate}))::int as taken
        ) as ___
    )
    returning bucket, granted, greatest(0, 1000 * (1 - ${size}
      + extract(epoch from full_at - asked_at) * ${rate}) / ${rate}
    )::float8 as "emptyForMs"`;
}
