-- Taking a job and renewing its lease will not change these indexes.
update jobs set due_at = run_at where run_at > now() and lease is null;
create index on jobs (queue, lane, part, due_at, id) where dead_at is null;
create index on jobs (queue, due_at, lane, part) where dead_at is null;
