-- When a job is due, apart from when its lease ends, and room in each page for
-- the row of a job that is taken. The version before only knows `run_at`, so
-- jobs that it postpones look due until `run_at` is read.
alter table jobs
  add column due_at timestamptz not null default now(),
  set (fillfactor = 50);
