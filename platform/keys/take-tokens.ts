import { type Kysely, sql } from "kysely";

import { prepared } from "../database/prepared.js";
import type { Tables } from "../database/schema.js";
import type { RateLimitSettings } from "../settings/settings.js";

/** The result of taking tokens from a bucket. */
export interface TakenTokens {
  readonly bucket: string;
  /** The number of tokens taken. */
  readonly granted: number;
  /** The time until the next token; 0 if one is available now. */
  readonly emptyForMs: number;
}

/**
 * Takes tokens from buckets, up to the number that each holds. Buckets are
 * refilled by the database's clock.
 *
 * Input: distinct buckets, and the number of tokens wanted from each.
 * Output: one entry per bucket, in any order.
 * Errors: `Unavailable` if the database does not respond.
 */
export async function takeTokens(
  database: Kysely<Tables>,
  { burst, requestsPerSecond }: RateLimitSettings,
  buckets: readonly string[],
  counts: readonly number[],
): Promise<readonly TakenTokens[]> {
  const size = sql`${burst}::int`;
  const rate = sql`${requestsPerSecond}::float8`;
  // Sort rows, so that two instances do not deadlock.
  const { rows } = await sql<TakenTokens>`
    with ${prepared} asked as (
      select bucket, least(wanted, ${size}) as wanted,
        clock_timestamp() as asked_at
      from unnest(${buckets}::text[], ${counts}::int[]) as _ (bucket, wanted)
      order by bucket
    )
    insert into rate_limits as known (bucket, granted, asked_at, full_at)
    select bucket, wanted, asked_at,
      asked_at + make_interval(secs => wanted::float8 / ${rate})
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
    )::float8 as "emptyForMs"`.execute(database);
  return rows;
}
