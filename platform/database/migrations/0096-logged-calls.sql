-- The latest calls of each project, without keys and bodies.
create table logged_calls (
  id bigint generated always as identity primary key,
  project_id bigint not null,
  request_id text not null,
  service text not null,
  method text not null,
  network text,
  status integer not null,
  error text,
  invalid_fields text[] not null,
  duration_ms integer not null,
  created_at timestamptz not null
);
create index on logged_calls (project_id, (-id));
create index on logged_calls (created_at);
