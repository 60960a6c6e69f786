import { type Migration, sql } from "kysely";

/** Audiences and their contacts. */
export const builder: Migration = {
  up: async (database) => {
    await sql`
      create table audiences (
        id bigint generated always as identity primary key,
        project_id bigint not null references projects,
        name text not null,
        contact_count bigint not null default 0 check (contact_count >= 0),
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      )`.execute(database);
    await sql`create index on audiences (project_id)`.execute(database);
    await sql`
      create table audience_contacts (
        audience_id bigint not null references audiences,
        contact_id numeric(20) not null,
        primary key (audience_id, contact_id)
      )`.execute(database);
  },
};
