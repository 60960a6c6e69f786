-- The deliveries about each block that a reorganization may remove: the keys of
-- their jobs, which contain the notifications.
create table block_deliveries (
  id bigint generated always as identity primary key,
  follower text not null,
  chain_id bigint not null,
  block_hash text not null,
  keys json not null,
  foreign key (follower, chain_id, block_hash)
    references followed_blocks (follower, chain_id, hash)
    on delete cascade
);
create index on block_deliveries (block_hash);

insert into block_deliveries (follower, chain_id, block_hash, keys)
select follower, chain_id, block_hash,
  json_agg(listener_id || ':' || (notification ->> 'uid') order by id)
from webhook_notifications
group by follower, chain_id, block_hash
order by max(id);
drop table webhook_notifications;

-- The version before stores and retracts notifications with this view, whose
-- rows have the columns of the table that it replaces.
create view webhook_notifications as
select id * 1000000 + position as id, follower, chain_id, block_hash,
  split_part(told.key, ':', 1)::bigint as listener_id,
  payload -> 'notification' as notification
from block_deliveries
cross join json_array_elements_text(keys) with ordinality as told (key, position)
cross join lateral (
  select payload from jobs where queue = 'webhooks' and jobs.key = told.key
  union all
  select payload from done_jobs
  where queue = 'webhooks' and done_jobs.key = told.key
  limit 1
) as job;

create function store_notification() returns trigger language plpgsql as $$
begin
  insert into block_deliveries (follower, chain_id, block_hash, keys)
  values (new.follower, new.chain_id, new.block_hash,
    json_build_array(new.listener_id || ':' || (new.notification ->> 'uid')));
  return new;
end $$;
create trigger store instead of insert on webhook_notifications
  for each row execute function store_notification();

create function retract_notification() returns trigger language plpgsql as $$
begin
  -- The version before retracts all notifications about a block at once.
  delete from block_deliveries
  where follower = old.follower and chain_id = old.chain_id
    and block_hash = old.block_hash;
  return old;
end $$;
create trigger retract instead of delete on webhook_notifications
  for each row execute function retract_notification();
