-- Pending jobs and jobs that failed permanently.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null,
  key text not null,
  sequence text,
  payload json not null,
  run_at timestamptz not null default now(),
  lease uuid,
  attempts integer not null default 0,
  reason text,
  created_at timestamptz not null default now(),
  dead_at timestamptz,
  unique (queue, key)
);
create index on jobs (queue, run_at, id) where dead_at is null;
create index on jobs (queue, sequence, id)
  where dead_at is null and sequence is not null;
create index on jobs (queue, dead_at) where dead_at is not null;
