-- Indexes for the canceled deliveries of all projects, a project or a listener,
-- newest first. There are few, so a list would otherwise read all others.
create index on done_jobs (queue, (-id))
  where history -> -1 ->> 'reason' is not null;
create index on done_jobs (queue, lane, (-id))
  where history -> -1 ->> 'reason' is not null;
create index on done_jobs (queue, split_part(key, ':', 1), (-id))
  where history -> -1 ->> 'reason' is not null;
