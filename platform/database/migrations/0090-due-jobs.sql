-- Lanes have parts, e.g. a listener of a project, so that workers can pause one
-- part without writing its jobs. The new indexes find the due jobs of a part,
-- and the parts with jobs that have become due.
alter table jobs add column part text collate "C" not null default '';
create index on jobs (queue, lane, part, run_at, id) where dead_at is null;
create index on jobs (queue, run_at, lane, part) where dead_at is null;
drop index jobs_queue_lane_run_at_id_idx;

-- Store payloads outside the rows, because each attempt writes the row again.
alter table jobs set (toast_tuple_target = 128);
alter table done_jobs set (toast_tuple_target = 128);
alter table webhook_notifications set (toast_tuple_target = 128);
