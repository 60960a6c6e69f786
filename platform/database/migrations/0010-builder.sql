-- Audiences and their contacts.
create table audiences (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  name text not null,
  contact_count bigint not null default 0 check (contact_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on audiences (project_id);

create table audience_contacts (
  audience_id bigint not null references audiences,
  contact_id numeric(20) not null,
  primary key (audience_id, contact_id)
);
