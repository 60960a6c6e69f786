import { type Kysely, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { migrate } from "../../database/migrate.js";
import { migrations } from "../../database/migrations/index.js";
import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";
import { createDatabase, silent } from "../support/test-database.js";
import { readVersionBefore } from "./version-before.js";

/** A column that existed before a migration. */
interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

/** A constraint or a unique index. */
interface Rule {
  readonly table: string;
  readonly columns: readonly string[];
}

/** What a version of the platform depends on. */
interface Catalog {
  readonly columns: ReadonlyMap<string, Column>;
  readonly rules: ReadonlyMap<string, Rule>;
}

async function readCatalog(database: Kysely<Tables>): Promise<Catalog> {
  const columns = await sql<Column & { name: string }>`
    select relname || '.' || attname as name, attnotnull as "isRequired",
      format_type(atttypid, atttypmod) as type,
      atthasdef or attidentity <> '' as "hasDefault"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and attnum > 0 and not attisdropped`.execute(database);
  const rules = await sql<Rule & { name: string }>`
    select relname as table, array(
        select attname::text from pg_attribute
        where attrelid = relid and attnum = any (keys)
      ) as columns,
      coalesce(pg_get_constraintdef(constraint_id),
        substring(pg_get_indexdef(index_id) from 'USING.*')) as name
    from (
      select conrelid as relid, conkey as keys, oid as constraint_id,
        null as index_id
      from pg_constraint
      union all
      select indrelid, indkey::int2[], null, indexrelid
      from pg_index where indisunique
    ) as rule join pg_class on pg_class.oid = relid
    where relnamespace = 'public'::regnamespace`.execute(database);
  return {
    columns: new Map(columns.rows.map((row) => [row.name, row])),
    rules: new Map(
      rules.rows.map((row) => [`${row.table} has ${row.name}`, row]),
    ),
  };
}

/** Lists the changes with which an older version may not work. */
function findBreaks(before: Catalog, after: Catalog): readonly string[] {
  const breaks: string[] = [];
  const tables = new Set([...before.columns.keys()].map(tableOf));
  for (const [name, old] of before.columns) {
    const column = after.columns.get(name);
    if (column === undefined) {
      breaks.push(`${name} is gone`);
      continue;
    }
    if (column.type !== old.type) breaks.push(`${name} is ${column.type}`);
    if (column.isRequired && !old.isRequired)
      breaks.push(`${name} is required`);
    if (!column.isRequired && old.isRequired)
      breaks.push(`${name} can be null`);
    if (!column.hasDefault && old.hasDefault)
      breaks.push(`${name} has no default`);
  }
  for (const [name, { hasDefault, isRequired }] of after.columns) {
    if (before.columns.has(name) || !tables.has(tableOf(name))) continue;
    if (isRequired && !hasDefault) breaks.push(`${name} is required`);
  }
  for (const rule of before.rules.keys()) {
    if (!after.rules.has(rule))
      breaks.push(rule.replace(" has ", " no longer has "));
  }
  for (const [rule, { columns, table }] of after.rules) {
    if (before.rules.has(rule) || !tables.has(table)) continue;
    // The version before leaves new columns empty, which satisfies the rule.
    const isAboutNew = columns.some(
      (column) => !before.columns.has(`${table}.${column}`),
    );
    if (!isAboutNew) breaks.push(rule);
  }
  return breaks;
}

const tableOf = (column: string): string => column.split(".")[0] ?? column;

/** Returns the migrations with certain names. */
const choose = (isChosen: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(migrations).filter(([name]) => isChosen(name)),
  );

/** Applies migrations one by one. Output: the breaks of each one. */
async function migrateEach(
  base: readonly string[],
  later: Readonly<Record<string, (typeof migrations)[string]>>,
): Promise<readonly string[]> {
  const url = await createDatabase();
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  let applied = choose((name) => base.includes(name));
  await migrate(url, applied);
  const breaks: string[] = [];
  let before = await readCatalog(database);
  expect(before.columns.size).toBeGreaterThan(0);
  for (const [name, migration] of Object.entries(later)) {
    applied = { ...applied, [name]: migration };
    await migrate(url, applied);
    const after = await readCatalog(database);
    breaks.push(
      ...findBreaks(before, after).map((change) => `${name}: ${change}`),
    );
    before = after;
  }
  return breaks;
}

const { migrations: known } = readVersionBefore();

test("no migration breaks the version before", async () => {
  const later = choose((name) => !known.includes(name));
  const breaks = await migrateEach(known, later);
  const isRemoval = (each: string): boolean => /^[^:]+-removal: /u.test(each);
  expect(breaks.filter((each) => !isRemoval(each))).toEqual([]);
});

test("a view replaces the notifications of an old version", async () => {
  const url = await createDatabase();
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  await migrate(
    url,
    choose((name) => name < "0102"),
  );
  await sql
    .raw(
      `
    insert into projects (name) values ('a');
    insert into webhook_listeners (project_id, chain_id, url, filters)
      values (1, 5, '', '{}'), (1, 5, '', '{}');
    insert into followed_chains (follower, chain_id, next_number)
      values ('indexer', 5, 1);
    insert into followed_blocks
      (follower, chain_id, hash, parent_hash, number, mined_at)
      select 'indexer', 5, hash, '', 1, now()
      from unnest(array['0xa', '0xb', '0xc']) as hash`,
    )
    .execute(database);
  /** Stores notifications as that version does. */
  const store = (hash: string, uid: string) =>
    sql
      .raw(
        `
        insert into webhook_notifications
          (follower, chain_id, block_hash, listener_id, notification)
        select 'indexer', 5, '${hash}', id, '{"uid":"${uid}"}'::json
        from webhook_listeners order by id;
        insert into jobs (queue, key, lane, payload)
        select 'webhooks', id || ':${uid}', '1', json_build_object(
          'listenerId', id, 'projectId', 1,
          'notification', json_build_object('uid', '${uid}'))
        from webhook_listeners`,
      )
      .execute(database);
  await store("0xa", "0x1");
  await migrate(url);
  await store("0xb", "0x2");
  await store("0xc", "0x3");
  await sql`
    with finished as (delete from jobs where key = '1:0x2' returning *)
    insert into done_jobs
      (id, queue, key, lane, payload, attempts, history, created_at)
    select id, queue, key, lane, payload, 1, '[]', now()
    from finished`.execute(database);
  const { rows } = await sql`
    delete from webhook_notifications using webhook_listeners
    where listener_id = webhook_listeners.id and follower = 'indexer'
      and webhook_notifications.chain_id = 5
      and block_hash = any(array['0xa', '0xb'])
    returning webhook_notifications.id, listener_id, project_id, notification
  `.execute(database);
  const sorted = rows.sort((one, other) => Object(one).id - Object(other).id);
  expect(sorted).toMatchObject(
    ["0x1", "0x2"].flatMap((uid) =>
      [1, 2].map((listener_id) => ({
        ...{ listener_id, project_id: 1, notification: { uid } },
      })),
    ),
  );
  const { rows: left } = await sql`
    select block_hash, keys from block_deliveries order by id`.execute(
    database,
  );
  expect(left).toEqual([
    { block_hash: "0xc", keys: ["1:0x3"] },
    { block_hash: "0xc", keys: ["2:0x3"] },
  ]);
});

test("the sizes of the payloads that an old version stored are counted", async () => {
  const url = await createDatabase();
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  await migrate(
    url,
    choose((name) => name < "0120"),
  );
  // Hexadecimal digits of hashes can hardly be compressed.
  const payload = sql`to_json((
    select string_agg(md5(key || n::text), '')
    from generate_series(1, words) as n))`;
  const sizes = sql`(values ('a', 1), ('b', 1300)) as given (key, words)`;
  await sql`
    insert into jobs (queue, key, payload, dead_at)
    select 'webhooks', key, ${payload}, case when key = 'b' then now() end
    from ${sizes}`.execute(database);
  await sql`
    insert into done_jobs
      (id, queue, key, lane, payload, attempts, history, created_at)
    select words, 'webhooks', key, '1', ${payload}, 1, '[]', now()
    from ${sizes}`.execute(database);
  await migrate(url);
  for (const table of ["jobs", "done_jobs"] as const) {
    const rows = await database
      .selectFrom(table)
      .select("units")
      .orderBy("key")
      .execute();
    // 1300 hashes have 41,600 digits.
    expect(rows.map(({ units }) => units)).toEqual([1, 6]);
  }
});

test("finds the changes that break the version before", async () => {
  const change = (statement: string) => ({
    up: async (database: Kysely<unknown>) =>
      void (await sql.raw(statement).execute(database)),
  });
  const breaks = await migrateEach(known, {
    "1-rename": change("alter table projects rename name to title"),
    "2-drop": change("drop table project_calls"),
    "3-type": change("alter table jobs alter attempts type bigint"),
    "4-required": change("alter table jobs alter reason set not null"),
    "5-added": change("alter table jobs add priority integer not null"),
    "6-check": change("alter table jobs add check (attempts < 9)"),
    "7-unique": change("create unique index on jobs (lane)"),
    "8-conflict": change(
      "alter table gas_tanks drop constraint gas_tanks_project_id_chain_id_key",
    ),
    "9-fine": change(`
      alter table jobs add area text, add rank integer not null default 0,
        add check (area <> ''), add unique (key, area);
      create index on jobs (area);
      drop index done_jobs_queue_lane_expr_units_idx;
      create table new (id bigint primary key)`),
  });
  const columns = ["project_id", "day", "service", "method"];
  expect(breaks).toEqual([
    "1-rename: projects.name is gone",
    "1-rename: projects.title is required",
    ...[...columns, "calls", "failures"].map(
      (name) => `2-drop: project_calls.${name} is gone`,
    ),
    expect.stringMatching(/^2-drop: project_calls no longer has PRIMARY KEY/u),
    expect.stringMatching(/^2-drop: project_calls no longer has USING/u),
    "3-type: jobs.attempts is bigint",
    "4-required: jobs.reason is required",
    "5-added: jobs.priority is required",
    "6-check: jobs has CHECK ((attempts < 9))",
    "7-unique: jobs has USING btree (lane)",
    expect.stringMatching(/^8-conflict: gas_tanks no longer has UNIQUE/u),
    expect.stringMatching(/^8-conflict: gas_tanks no longer has USING/u),
  ]);
});
