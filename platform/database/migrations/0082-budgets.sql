-- Indexes for counting a project's unfinished rows, for finding its finished
-- ones, and for listing the deliveries of all projects, newest first.
create index on metadata_refreshes (project_id)
  where status not in ('COMPLETED', 'FAILED');
create index on webhook_listeners (project_id, id)
  where deleted_at is not null or not active;
create index on relays (project_id, id)
  where state = 'expired' and is_final and cost = 0;
create index on jobs (queue, (-id)) where dead_at is null;
create index on jobs (queue, (-id)) where dead_at is not null;
create index on done_jobs (queue, (-id));
drop index jobs_queue_dead_at_idx;
