import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";
import type { RateLimitSettings } from "../settings/settings.js";

/** What became of a bucket. */
export interface TakenTokens {
  readonly bucket: string;
  /** How many tokens it gave. */
  readonly granted: number;
  /** After that long it has another token; 0: it has one now. */
  readonly emptyForMs: number;
}

/**
 * Takes tokens out of buckets, as many as each has at most. The clock of the
 * database fills them.
 *
 * Input: different buckets, and how many tokens are wanted of each.
 * Output: one entry for each bucket, in any order.
 * Errors: `Unavailable` when the database does not answer.
 */
export async function takeTokens(
  database: Kysely<Tables>,
  { burst, requestsPerSecond }: RateLimitSettings,
  buckets: readonly string[],
  counts: readonly number[],
): Promise<readonly TakenTokens[]> {
  const size = sql`${burst}::int`;
  const rate = sql`${requestsPerSecond}::float8`;
  // Ordered, so that two instances cannot wait for each other's rows.
  const { rows } = await sql<TakenTokens>`
    with asked as (
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
