-- Replaced by the indexes of `due_at`.
drop index jobs_queue_lane_part_run_at_id_idx;
drop index jobs_queue_run_at_lane_part_idx;
