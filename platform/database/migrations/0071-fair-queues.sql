-- Adds lanes, so that workers take a job from each lane in turn. Also adds
-- indexes of unfinished jobs and of active listeners.
alter table jobs add column lane text collate "C" not null default '';
create index on jobs (queue, lane, run_at, id) where dead_at is null;
drop index webhook_listeners_chain_id_idx;
create index on webhook_listeners (chain_id, project_id, id)
  where active and deleted_at is null;
