-- Token buckets for the rate limits. The table is unlogged: after a database
-- crash it is empty, which means that all buckets are full.

-- Leave free space in each page, so that updates do not have to change the
-- index.
create unlogged table rate_limits (
  bucket text primary key,
  granted integer not null,
  asked_at timestamptz not null,
  full_at timestamptz not null
) with (fillfactor = 50);
