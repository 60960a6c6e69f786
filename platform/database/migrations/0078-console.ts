import { type Migration, sql } from "kysely";

/** Data of the project console, and its operators' sessions. */
export const projectConsole: Migration = {
  up: async (database) => {
    const statements = [
      ...operators,
      ...keys,
      ...tanks,
      ...deliveries,
      ...usage,
      ...indexes,
    ];
    for (const statement of statements) await statement.execute(database);
  },
};

const operators = [
  sql`
    create table operator_sessions (
      hash bytea primary key,
      operator text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`,
  sql`create index on operator_sessions (expires_at)`,
  sql`
    create table operator_actions (
      id bigint generated always as identity primary key,
      operator text not null,
      method text not null,
      project_id bigint,
      details json not null,
      is_done boolean,
      error text,
      created_at timestamptz not null default now()
    )`,
  sql`create index on operator_actions (project_id, id)`,
  sql`create index on operator_actions (operator, id)`,
  sql`create index on operator_actions (created_at)`,
];

const keys = [
  ...["access_keys", "secrets"].map(
    (table) => sql`
      alter table ${sql.table(table)}
        add column name text not null default '',
        add column ending text not null default '',
        add column last_used_at timestamptz`,
  ),
  sql`create index on access_keys (project_id, id)`,
  sql`create index on secrets (project_id, created_at, id)`,
];

/**
 * Existing tanks get a single fill, whose amount is the balance plus all
 * payments.
 */
const tanks = [
  sql`
    create table gas_tank_fills (
      id bigint generated always as identity primary key,
      gas_tank_id bigint not null references gas_tanks,
      amount numeric(78) not null,
      operator text,
      created_at timestamptz not null default now()
    )`,
  sql`create index on gas_tank_fills (gas_tank_id, created_at)`,
  sql`create index on relays (gas_tank_id, settled_at) where cost > 0`,
  sql`
    insert into gas_tank_fills (gas_tank_id, amount, created_at)
    select id, amount, created_at from (
      select id, created_at, balance + (
        select coalesce(sum(cost), 0) from relays where gas_tank_id = tank.id
      ) as amount
      from gas_tanks as tank
    ) as filled
    where amount <> 0`,
];

const deliveries = [
  sql`alter table jobs add column history jsonb not null default '[]'`,
  sql`
    create table done_jobs (
      id bigint primary key,
      queue text not null,
      key text not null,
      lane text collate "C" not null,
      payload json not null,
      attempts integer not null,
      history jsonb not null,
      created_at timestamptz not null,
      done_at timestamptz not null default now(),
      unique (queue, key)
    )`,
  sql`create index on done_jobs (queue, lane, id)`,
  sql`create index on done_jobs (done_at)`,
];

const usage = [
  sql`
    create table project_calls (
      project_id bigint not null,
      day date not null,
      service text not null,
      method text not null,
      calls bigint not null,
      failures bigint not null,
      primary key (project_id, day, service, method)
    )`,
  sql`create index on project_calls (day)`,
];

const indexes = [
  sql`
    create index on webhook_listeners (project_id, id)
    where deleted_at is null`,
  sql`create index on metadata_refreshes (project_id, id)`,
  sql`create index on gas_sponsors (project_id, id) where deleted_at is null`,
  sql`create index on linked_wallets (linked_wallet_address)`,
];
