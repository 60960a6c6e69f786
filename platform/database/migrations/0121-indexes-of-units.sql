-- Count what large payloads take up. Their stored size is known without reading
-- them.
update jobs set units = (pg_column_size(payload) + 8191) / 8192
where pg_column_size(payload) > 8192;
update done_jobs set units = (pg_column_size(payload) + 8191) / 8192
where pg_column_size(payload) > 8192;

-- The same indexes as before, from which the units of a lane can be added up.
create index on jobs (queue, lane, (-id)) include (units) where dead_at is null;
create index on jobs (queue, lane, (-id)) include (units)
  where dead_at is not null;
create index on done_jobs (queue, lane, (-id)) include (units);
drop index jobs_queue_lane_expr_idx, jobs_queue_lane_expr_idx1,
  done_jobs_queue_lane_expr_idx;
