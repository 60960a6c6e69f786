-- Listeners that were set aside are resumed at a block, after a pause that grows
-- each time. Null if an older version set the listener aside.
alter table webhook_listeners
  add column set_aside_until bigint,
  add column set_aside_blocks integer,
  add column skipped_logs bigint not null default 0,
  add column skipped_reason text;
create index on webhook_listeners (chain_id)
  where set_aside_reason is not null;
