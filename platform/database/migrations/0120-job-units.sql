-- How many units of 8 KiB the payload of a job has, because limits count them. The
-- version before stores 1.
alter table jobs add column units integer not null default 1;
alter table done_jobs add column units integer not null default 1;
