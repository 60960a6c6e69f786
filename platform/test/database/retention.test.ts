import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";

import { removeOld } from "../../database/retention.js";
import {
  documentTables,
  limitDocuments,
} from "../../database/stored-documents.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase, silent } from "../support/test-database.js";

const database = await openTestDatabase();
const { store } = servePlatform(database);

/**
 * Returns the remaining values of a column. In each test, they identify the
 * rows.
 */
async function namesIn(column: string, table: string): Promise<unknown[]> {
  const { rows } = await sql<{ readonly name: unknown }>`
    select ${sql.ref(column)} as name from ${sql.table(table)} order by 1`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

test("removes the tokens of a refresh task in batches", async () => {
  const { id } = await createTestProject(store);
  await sql`
    with made as (
      insert into metadata_refreshes
        (project_id, chain_id, contract, status, updated_at)
      values (${id}, 1, 'many', 'FAILED', now() - interval '31 days') returning id
    )
    insert into metadata_refresh_tokens
    select id, n from made, generate_series(1, 5) as n`.execute(database);
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 2 then raise 'too many'; end if;
      return null; end $$`.execute(database);
  await sql`
    create trigger few after delete on metadata_refresh_tokens
    referencing old table as gone
    for each statement execute function refuse_many()`.execute(database);
  onTestFinished(async () => {
    await sql`drop function refuse_many cascade`.execute(database);
  });
  await removeOld(database, undefined, { limit: 2 });
  expect(await namesIn("contract", "metadata_refreshes")).toEqual([]);
});

test("removes expired rows in batches and keeps the others", async () => {
  const { id } = await createTestProject(store);
  const ages = sql`(values ('29 days'), ('31 days'), ('32 days')) as age (value)`;
  const then = sql`now() - value::interval`;
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters, deleted_at)
    select ${id}, 1, value, '{}', ${then} from ${ages}`.execute(database);
  await sql`
    insert into webhook_listeners
      (project_id, chain_id, url, filters, created_at, updated_at)
    select ${id}, 1, 'active', '{}', ${then}, ${then} from ${ages}
    limit 1`.execute(database);
  await sql`
    insert into jobs (queue, key, payload, dead_at)
    select 'test', value, 'null', ${then} from ${ages}`.execute(database);
  await sql`
    insert into jobs (queue, key, payload, run_at, created_at)
    select 'test', 'waiting', 'null', ${then}, ${then} from ${ages}
    limit 1`.execute(database);
  await sql`
    with made as (
      insert into metadata_refreshes
        (project_id, chain_id, contract, status, updated_at)
      select ${id}, 1, value, status, ${then}
      from ${ages}, (values ('FAILED'), ('PAUSED')) as states (status)
      returning id
    )
    insert into metadata_refresh_tokens (refresh_id, token_id)
    select id, '1' from made`.execute(database);
  const contract = sql`('0x' || repeat('a', 40))`;
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    select 1, ${contract}, left(value, 2), '{}', 'found', 1, ${then}
    from ${ages}`.execute(database);
  await sql`
    insert into rate_limits (bucket, granted, asked_at, full_at)
    select value, 1, now(), now() + value::interval
    from (values ('1 minute'), ('-1 minute')) as age (value)`.execute(database);

  await removeOld(database, undefined, { limit: 1 });
  expect(await namesIn("bucket", "rate_limits")).toEqual(["1 minute"]);
  expect(await namesIn("url", "webhook_listeners")).toEqual([
    "29 days",
    "active",
  ]);
  expect(await namesIn("key", "jobs")).toEqual(["29 days", "waiting"]);
  expect(await namesIn("contract", "metadata_refreshes")).toEqual([
    ...["29 days", "29 days", "31 days", "32 days"],
  ]);
  expect(await namesIn("token_id", "metadata_refresh_tokens")).toHaveLength(4);
  expect(await namesIn("token_id", "token_metadata")).toEqual(["29"]);
});

test("removes other rows if one table cannot be cleaned up", async () => {
  await sql`
    insert into jobs (queue, key, payload, dead_at)
    values ('test', 'old', 'null', now() - interval '31 days')`.execute(
    database,
  );
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
      database,
    );
  await rename("webhook_listeners", "renamed");
  await expect(removeOld(database)).rejects.toThrow("webhook_listeners");
  await rename("renamed", "webhook_listeners");
  expect(await namesIn("key", "jobs")).not.toContain("old");
});

test("keeps only the newest ended rows of each project", async () => {
  const few = await createTestProject(store);
  const many = await createTestProject(store);
  // Only row 2 belongs to the first project. The last two rows have not ended.
  // For relays, row 5 has a cost instead, and row 6 is not final.
  const rows = sql`(values
    ('row 1', ${many.id}::bigint, true), ('row 2', ${few.id}, true),
    ('row 3', ${many.id}, true), ('row 4', ${many.id}, true),
    ('row 5', ${many.id}, false), ('row 6', ${many.id}, false)
  ) as given (name, project, is_ended)`;
  await sql`
    insert into webhook_listeners
      (project_id, chain_id, url, filters, active, deleted_at)
    select project, 5, name, '{}', not is_ended or name < 'row 4',
      case when is_ended and name < 'row 4' then now() end
    from ${rows} order by name`.execute(database);
  await sql`
    insert into jobs (queue, key, lane, payload, dead_at)
    select 'ended', name, project, 'null', case when is_ended then now() end
    from ${rows} order by name`.execute(database);
  await sql`
    with made as (
      insert into metadata_refreshes (project_id, chain_id, contract, status)
      select project, 5, name,
        case when is_ended then 'FAILED' else 'PAUSED' end
      from ${rows} order by name returning *
    )
    insert into metadata_refresh_tokens
    select id, contract from made`.execute(database);
  const { gas_tank_id: gasTankId, id: sponsorId } = await saveGasSponsor(
    database,
    { projectId: few.id, chainId: 5, address: "", name: "", active: true },
    1,
  );
  await sql`
    with made as (
      insert into relays
        (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
        call_hash, data, gas, deadline, max_data_fee, max_cost, state, is_final,
        cost, settled_at)
      select project, ${sponsorId}, ${gasTankId}, 5, '', 0, name, '0x', 1, 1, 0,
        1, 'expired', name <> 'row 6', (name = 'row 5')::int, now()
      from ${rows} order by name returning *
    )
    insert into relay_transactions
      (hash, relay_id, chain_id, account, account_nonce, transaction)
    select call_hash, id, 5, '', id, '0x' from made`.execute(database);
  await sql`
    insert into logged_calls (project_id, request_id, service, method, status,
      invalid_fields, duration_ms, created_at)
    select project, name, '', '', 200, '{}', 1, now()
    from ${rows} where is_ended order by name`.execute(database);
  await removeOld(database, undefined, {
    ...{ limit: 1, maxJobs: 2, maxEnded: 2, maxRelays: 2, maxCalls: 2 },
  });
  expect(await namesIn("request_id", "logged_calls")).toEqual([
    "row 2",
    "row 3",
    "row 4",
  ]);
  const kept = ["2", "3", "4", "5", "6"];
  for (const [column, table] of [
    ["url", "webhook_listeners"],
    ["key", "jobs"],
    ["contract", "metadata_refreshes"],
    ["token_id", "metadata_refresh_tokens"],
    ["call_hash", "relays"],
    ["hash", "relay_transactions"],
  ] as const) {
    const names = await namesIn(column, table);
    const filled = names.filter((name) => /^row /u.test(String(name)));
    const expected = kept.map((n) => `row ${n}`);
    expect([table, filled]).toEqual([table, expected]);
  }
});

test("keeps the newest jobs of each lane up to the size of their payloads", async () => {
  const numbers = sql`generate_series(1, 5) as number`;
  // In the lane "few", all fit. The others of "many" fit without the third.
  const units = sql`case lane when 'few' then 1 when 'many' then 3 end`;
  const lanes = sql`unnest(array['few', 'many']) as lane`;
  await sql`
    insert into jobs (queue, key, lane, payload, units, dead_at)
    select 'large', lane || number, lane, 'null', ${units}, now()
    from ${numbers}, ${lanes} order by number`.execute(database);
  await sql`
    insert into done_jobs
      (id, queue, key, lane, payload, units, attempts, history, created_at)
    select 1000 + number * 10 + length(lane), 'large', lane || number, lane,
      'null', ${units}, 1, '[]', now()
    from ${numbers}, ${lanes}`.execute(database);
  await removeOld(database, undefined, { limit: 1, maxJobs: 8 });
  for (const table of ["jobs", "done_jobs"]) {
    const { rows } = await sql<{ readonly key: string }>`
      select key from ${sql.table(table)} where queue = 'large'
      order by key`.execute(database);
    expect(rows.map(({ key }) => key)).toEqual([
      ...["few1", "few2", "few3", "few4", "few5", "many4", "many5"],
    ]);
    await sql`delete from ${sql.table(table)} where queue = 'large'`.execute(
      database,
    );
  }
});

test("adds up the rows of a limited number of owners in a statement", async () => {
  await sql`
    insert into done_jobs
      (id, queue, key, lane, payload, units, attempts, history, created_at)
    select 2000 + number, 'owned', number, number / 2, 'null', 1, 1, '[]', now()
    from generate_series(0, 89) as number`.execute(database);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  await removeOld(database, undefined, { limit: 10, maxJobs: 1 });
  const texts = query.mock.calls.map(([first]) => String(Object(first).text));
  expect(
    texts.filter((text) => /recursive[^]*from "done_jobs"/u.test(text)),
  ).toHaveLength(3);
  const { rows } = await sql<{ readonly key: string }>`
    delete from done_jobs where queue = 'owned' returning key`.execute(
    database,
  );
  expect(rows).toHaveLength(45);
  expect(rows.every(({ key }) => Number(key) % 2 === 1)).toBe(true);
});

test("begins each statement where the one before has ended", async () => {
  await sql`
    insert into done_jobs
      (id, queue, key, lane, payload, units, attempts, history, created_at)
    select 3000 + number, 'placed', number, '', 'null', 1, 1, '[]', now()
    from generate_series(1, 5) as number`.execute(database);
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    select 8, '0x' || repeat('f', 40), number::text, repeat('x', 100), 'found', 1,
      now() - number * interval '1 minute'
    from generate_series(1, 4) as number`.execute(database);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  await removeOld(database, undefined, { limit: 1, maxJobs: 3, maxBytes: 1 });
  const statements = query.mock.calls.map(([first]) => Object(first));
  const valuesIn = (text: RegExp): unknown[][] =>
    statements
      .filter((each) => text.test(each.text))
      .map(({ values }) => values);
  expect(valuesIn(/delete from "done_jobs" using/u)).toEqual(
    ["-9223372036854775807", "3001", "3002"].map((last) =>
      expect.arrayContaining(["placed", last]),
    ),
  );
  const places = valuesIn(/delete from "token_metadata"[^]*saved_at >=/u).map(
    ([last]) => last,
  );
  expect(places.length).toBeGreaterThan(3);
  expect(new Set(places).size).toBe(places.length);
  await sql`delete from done_jobs where queue = 'placed'`.execute(database);
  await sql`delete from token_metadata where chain_id = 8`.execute(database);
});

test("removes expired console data", async () => {
  const { id } = await createTestProject(store);
  const fill = (
    table: string,
    columns: string,
    values: string,
    ages: readonly string[],
  ) =>
    sql`
    insert into ${sql.table(table)} (${sql.raw(columns)})
    select ${sql.raw(values)} from unnest(${ages}::text[]) as age`.execute(
      database,
    );
  await fill(
    ...(["operator_sessions", "hash, operator, expires_at"] as const),
    "age::bytea, age, now() - age::interval",
    ["-1 hour", "23 hours", "25 hours", "26 hours"],
  );
  await fill(
    ...(["operator_actions", "operator, method, details, created_at"] as const),
    "'ada', age, '{}', now() - age::interval",
    ["23 months", "25 months", "26 months"],
  );
  await fill(
    ...([
      "project_calls",
      "project_id, day, service, method, calls, failures",
    ] as const),
    `${id}, current_date - age::int, 'API', age, 1, 0`,
    ["0", "400", "401", "402"],
  );
  await fill(
    ...([
      "done_jobs",
      "id, queue, key, lane, payload, attempts, history, created_at, done_at",
    ] as const),
    "length(age), 'test', age, case age when '6 days' then 'other' else '' end, 'null', 1, '[]', now(), now() - age::interval",
    ["5 minutes", "55.5 minutes", "6 days", "8.5 days", "10.25 days"],
  );
  await fill(
    ...([
      "logged_calls",
      "project_id, request_id, service, method, status, invalid_fields, duration_ms, created_at",
    ] as const),
    `${id}, age, '', '', 200, '{}', 1, now() - age::interval`,
    ["6 days", "8 days", "9 days"],
  );
  await removeOld(database, undefined, { limit: 1 });
  const calls = await namesIn("request_id", "logged_calls");
  expect(calls.filter((name) => / days$/u.test(String(name)))).toEqual([
    "6 days",
  ]);
  expect(await namesIn("operator", "operator_sessions")).toEqual([
    "-1 hour",
    "23 hours",
  ]);
  expect(await namesIn("method", "operator_actions")).toEqual(["23 months"]);
  expect(await namesIn("method", "project_calls")).toEqual(["0", "400"]);
  const done = async () => new Set(await namesIn("key", "done_jobs"));
  expect(await done()).toEqual(
    new Set(["5 minutes", "55.5 minutes", "6 days"]),
  );
  // Each lane keeps its newest job.
  await removeOld(database, undefined, { maxJobs: 1 });
  expect(await done()).toEqual(new Set(["55.5 minutes", "6 days"]));
});

test("keeps deliveries that a reorganization would retract", async () => {
  await sql`
    with chain as (
      insert into followed_chains (follower, chain_id, next_number)
      values ('test', 6, 1) returning *
    ), block as (
      insert into followed_blocks
        (follower, chain_id, hash, parent_hash, number, mined_at)
      select follower, chain_id, 'recent', '', 1, now() from chain returning *
    ), delivery as (
      insert into block_deliveries (follower, chain_id, block_hash, keys)
      select follower, chain_id, hash, '[]' from block
    ), given (key, payload) as (
      select block, json_build_object('notification',
        json_build_object('blockHash', block))
      from unnest(array['recent', 'final']) as block
    ), dead as (
      insert into jobs (queue, key, lane, payload, dead_at)
      select 'sent', key, 'sent', payload, now() - interval '31 days' from given
    )
    insert into done_jobs (id, queue, key, lane, payload, attempts, history,
      created_at, done_at)
    select -length(key), 'sent', key, 'sent', payload, 1, '[]', now(),
      now() - interval '8 days'
    from given`.execute(database);
  const keys = async () => {
    const { rows } = await sql<{ readonly key: string }>`
      select key from jobs where queue = 'sent'
      union all select key from done_jobs where queue = 'sent'`.execute(
      database,
    );
    return rows.map(({ key }) => key);
  };
  await removeOld(database, undefined, { limit: 1, maxJobs: 0 });
  expect(await keys()).toEqual(["recent", "recent"]);
  await sql`delete from followed_blocks where hash = 'recent'`.execute(
    database,
  );
  await removeOld(database, undefined, { limit: 1 });
  expect(await keys()).toEqual([]);
});

test("keeps only the newest documents, up to the limit", async () => {
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    select 2, '0x' || repeat('b', 40), number::text, repeat('x', 100), 'found', 1,
      now() - number * interval '2 minutes'
    from generate_series(1, 5) as number`.execute(database);
  await sql`
    insert into contract_info
      (chain_id, contract, document, outcome, read_number, decimals, saved_at)
    select 2, '0x' || repeat(number::text, 40), repeat('x', 100), 'found', 1, 0,
      now() - number * interval '3 minutes'
    from generate_series(1, 5) as number`.execute(database);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  // The three newest documents belong to a token, a contract, and a token.
  await removeOld(database, undefined, { limit: 1, maxBytes: 1500 });
  // The sizes are read once, however many rows are removed.
  const texts = query.mock.calls.map(([first]) => String(Object(first).text));
  expect(
    texts.filter((text) => /octet_length\(document/u.test(text)),
  ).toHaveLength(1);
  const { rows } = await sql`
    select token_id from token_metadata where chain_id = 2
    order by 1`.execute(database);
  expect(rows).toEqual([{ token_id: "1" }, { token_id: "2" }]);
  expect(await namesIn("contract", "contract_info")).toEqual([
    `0x${"1".repeat(40)}`,
  ]);
});

test("removes the oldest documents as soon as many have been added", async () => {
  const add = (age: number): Promise<unknown> =>
    sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    values (4, '0x' || repeat('d', 40), ${String(age)}, repeat('x', 100), 'found',
      1, now() + interval '1 day' - ${age} * interval '2 minutes')`.execute(
      database,
    );
  for (let age = 1; age <= 5; age += 1) await add(age);
  const parts = {
    ...{ database, log: silent },
    stopping: new AbortController().signal,
  };
  const note = limitDocuments(parts, { maxBytes: 1500 });
  const kept = async () => {
    const { rows } = await sql<{ readonly id: string }>`
      select token_id as id from token_metadata where chain_id = 4
      order by 1`.execute(database);
    return rows.map(({ id }) => id);
  };
  await note(149);
  expect(await kept()).toHaveLength(5);
  await note(1);
  expect(await kept()).toEqual(["1", "2", "3"]);
  await sql`delete from token_metadata where chain_id = 4`.execute(database);
});

test("adds up the sizes of documents in pieces", async () => {
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    select 5, '0x' || repeat('e', 40), number::text, repeat('x', 100), 'found', 1,
      now() + interval '1 day' - number / 4 * interval '1 microsecond'
    from generate_series(4, 63) as number`.execute(database);
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  // 24 documents are newer than the last four.
  await removeOld(database, undefined, { limit: 1, maxBytes: 24 * 600 });
  const texts = query.mock.calls.map(([first]) => String(Object(first).text));
  expect(
    texts.filter((text) => /octet_length\(document/u.test(text)),
  ).toHaveLength(3);
  const { rows } = await sql`
    select from token_metadata where chain_id = 5`.execute(database);
  expect(rows).toHaveLength(28);
  await sql`delete from token_metadata where chain_id = 5`.execute(database);
});

test("removes documents that were not found after an hour", async () => {
  const ages = ["59 minutes", "61 minutes", "62 minutes"];
  for (const outcome of ["found", "missing", "unreachable"]) {
    await sql`
      insert into token_metadata
        (chain_id, contract, token_id, document, outcome, read_number, saved_at)
      select 6, '0x' || left(md5(${outcome}::text) || md5(''), 40),
        left(age, 2), '{}', ${outcome}, 1, now() - age::interval
      from unnest(${ages}::text[]) as age`.execute(database);
    await sql`
      insert into contract_info
        (chain_id, contract, document, outcome, read_number, decimals, saved_at)
      select 6, '0x' || left(md5(${outcome}::text || age) || md5(''), 40), '{}',
        ${outcome}, 1, 0, now() - age::interval
      from unnest(${ages}::text[]) as age`.execute(database);
  }
  await removeOld(database, undefined, { limit: 1 });
  for (const table of documentTables) {
    const { rows } = await sql`
      select outcome, count(*)::int as count from ${sql.table(table)}
      where chain_id = 6 group by 1 order by 1`.execute(database);
    expect(rows).toEqual([
      { outcome: "found", count: 3 },
      { outcome: "missing", count: 1 },
      { outcome: "unreachable", count: 1 },
    ]);
    await sql`delete from ${sql.table(table)} where chain_id = 6`.execute(
      database,
    );
  }
});

test("keeps documents that were stored together, even if they exceed the limit", async () => {
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number)
    select 3, '0x' || repeat('c', 40), number::text, repeat('x', 100), 'found', 1
    from generate_series(1, 5) as number`.execute(database);
  await removeOld(database, undefined, { maxBytes: 350 });
  const { rows } = await sql`
    select from token_metadata where chain_id = 3`.execute(database);
  expect(rows).toHaveLength(5);
});

test("keeps the newest answers of each project until they expire", async () => {
  await sql`
    insert into idempotent_answers (id, answer, expires_at, project_id)
    select 'one ' || number, '', now() + interval '1 hour', 1
    from generate_series(1, 5) as number`.execute(database);
  await sql`
    insert into idempotent_answers (id, answer, expires_at, project_id)
    values ('old', '', now() - interval '1 second', 2),
      ('other', '', now() + interval '1 hour', 2),
      ('operator 1', '', now() + interval '1 hour', null),
      ('operator 2', '', now() + interval '1 hour', null)`.execute(database);
  await removeOld(database, undefined, { limit: 1, maxAnswers: 2 });
  expect(await namesIn("id", "idempotent_answers")).toEqual([
    "one 4",
    "one 5",
    "operator 1",
    "operator 2",
    "other",
  ]);
});
