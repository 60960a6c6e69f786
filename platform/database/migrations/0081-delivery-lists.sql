-- Indexes for the deliveries of a project or a listener, newest first. They
-- contain `-id`. Otherwise, the planner would scan the primary key through all
-- newer deliveries of other projects.
create index on jobs (queue, lane, (-id)) where dead_at is null;
create index on jobs (queue, lane, (-id)) where dead_at is not null;
create index on done_jobs (queue, lane, (-id));
create index on jobs (queue, split_part(key, ':', 1), (-id))
  where dead_at is null;
create index on jobs (queue, split_part(key, ':', 1), (-id))
  where dead_at is not null;
create index on done_jobs (queue, split_part(key, ':', 1), (-id));
drop index done_jobs_queue_lane_id_idx;
-- Workers now look for due jobs by lane.
drop index jobs_queue_run_at_id_idx;
