-- Webhook listeners, and their notifications about blocks that are not final.
create table webhook_listeners (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  chain_id bigint not null,
  url text not null,
  filters json not null,
  name text not null default '',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on webhook_listeners (chain_id);

create table webhook_notifications (
  id bigint generated always as identity primary key,
  follower text not null,
  chain_id bigint not null,
  block_hash text not null,
  listener_id bigint not null references webhook_listeners,
  notification json not null,
  foreign key (follower, chain_id, block_hash)
    references followed_blocks (follower, chain_id, hash)
    on delete cascade
);
create index on webhook_notifications (follower, chain_id, block_hash);
