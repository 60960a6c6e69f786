-- Answers of calls with an idempotency key, as `answersTable` of the runtime.
create table idempotent_answers (
  id text primary key,
  answer text not null,
  expires_at timestamptz not null,
  -- In the order in which the answers were stored.
  number bigint generated always as identity,
  -- The project that made the call. Null for calls of operators.
  project_id bigint
    default nullif(current_setting('platform.project', true), '')::bigint
);
create index on idempotent_answers (expires_at);
create index on idempotent_answers (project_id, number);
