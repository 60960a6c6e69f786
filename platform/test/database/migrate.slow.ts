import { readFileSync } from "node:fs";

import { type Migration, sql } from "kysely";
import pg from "pg";
import { keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";

import { migrate } from "../../database/migrate.js";
import { migrations } from "../../database/migrations/index.js";
import { type DatabasePool, openDatabase } from "../../database/pool.js";
import { encodeCall } from "../../relaying/wallet-call.js";
import { keepIdle } from "../support/count-lock-waits.js";
import { headersOf, servePlatform } from "../support/serve-platform.js";
import {
  createDatabase,
  createMigratedDatabase,
  silent,
} from "../support/test-database.js";

function open(url: string): DatabasePool["database"] {
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  return database;
}

test("migrates once when several instances start concurrently", async () => {
  const url = await createDatabase();
  const ran = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(ran.flat().sort()).toEqual(Object.keys(migrations));
});

test("looks at no table that another instance is changing", async () => {
  const url = await createDatabase();
  const columns = Array.from({ length: 1000 }, (_, index) => `c${index}`);
  const create = `create table wide (${columns.join(" int, ")} int)`;
  await sql.raw(create).execute(open(url));
  const drops = columns.slice(-30).map((column): [string, Migration] => {
    const drop = sql`alter table wide drop column ${sql.id(column)}`;
    return [column, { up: async (to) => void (await drop.execute(to)) }];
  });
  const all = Object.fromEntries(drops);
  const ran = await Promise.all([1, 2, 3].map(() => migrate(url, all)));
  expect(ran.flat().sort()).toEqual(Object.keys(all));
});

test("upgrades an older database and keeps its data", async () => {
  const url = await createDatabase();
  const { "0010-builder": _, ...older } = migrations;
  await migrate(url, older);
  const database = open(url);
  const { id } = await database
    .insertInto("projects")
    .values({ name: "older" })
    .returning("id")
    .executeTakeFirstOrThrow();
  expect(await migrate(url)).toEqual(["0010-builder"]);
  const projects = await database.selectFrom("projects").selectAll().execute();
  expect(projects).toMatchObject([{ id, name: "older" }]);
  expect(await migrate(url)).toEqual([]);
});

const none: Migration = { up: () => Promise.resolve() };

test("starts on a database that a later version has added to", async () => {
  const url = await createMigratedDatabase();
  await migrate(url, { ...migrations, "9998-addition": none });
  expect(await migrate(url)).toEqual([]);
  const later = { ...migrations, "9997-own": none };
  expect(await migrate(url, later)).toEqual(["9997-own"]);
});

test("rejects a database from which a later version has removed", async () => {
  const url = await createMigratedDatabase();
  await migrate(url, { ...migrations, "9998-columns-removal": none });
  await expect(migrate(url)).rejects.toThrow(
    "a later version has upgraded the database for good (9998-columns-removal)",
  );
});

test("rolls back a migration that fails", async () => {
  const url = await createMigratedDatabase();
  const broken: Migration = {
    up: async (database) => {
      await sql`create table broken ()`.execute(database);
      throw new Error("broken");
    },
  };
  const failing = { ...migrations, "9999-broken": broken };
  await expect(migrate(url, failing)).rejects.toThrow("broken");
  expect(await migrate(url)).toEqual([]);
  const { rows } = await sql`
    select to_regclass('broken') as found`.execute(open(url));
  expect(rows).toEqual([{ found: null }]);
});

test("tries again while a table is in use, and lets others use it", async () => {
  const url = await createMigratedDatabase();
  const database = open(url);
  const later: Migration = {
    up: async (transaction) => {
      await sql`alter table projects add column later text`.execute(
        transaction,
      );
    },
  };
  const read = () => database.selectFrom("projects").select("id").execute();
  const all = { ...migrations, "9998-later": later };
  let migrating: Promise<readonly string[]> | undefined;
  await database.transaction().execute(async (transaction) => {
    await keepIdle(transaction);
    await transaction.selectFrom("projects").select("id").execute();
    migrating = migrate(url, all);
    const waits = async (): Promise<boolean> => {
      const { rows } = await sql<{ readonly count: number }>`
        select count(*) from pg_locks where not granted
          and relation = 'projects'::regclass`.execute(database);
      return rows[0]?.count === 1;
    };
    // The second time, the migration is being tried again.
    for (const isWaiting of [true, false, true]) {
      await expect.poll(waits, { interval: 10 }).toBe(isWaiting);
      await read();
    }
    await expect(migrate(url, all, 0)).rejects.toThrow("lock timeout");
  });
  expect(await migrating).toEqual(["9998-later"]);
});

test("sets no time limit for the statements of migrations", async () => {
  const found: string[] = [];
  const look: Migration = {
    up: async (database) => {
      const { rows } = await sql<{ readonly value: string }>`
        select current_setting('statement_timeout') as value`.execute(database);
      found.push(...rows.map(({ value }) => value));
    },
  };
  await migrate(await createDatabase(), { "0001-look": look });
  expect(found).toEqual(["0"]);
});

test("runs migrations in order of their names, and never backwards", () => {
  const names = Object.keys(migrations);
  expect([...names].sort()).toEqual(names);
  const numbers = new Set(names.map((name) => name.slice(0, 4)));
  expect(numbers.size).toBe(names.length);
  for (const { down } of Object.values(migrations)) {
    expect(down).toBeUndefined();
  }
});

test("keeps a pending relay's transaction so that it can be sent again", async () => {
  const url = await createDatabase();
  const database = open(url);
  const older = Object.fromEntries(
    Object.entries(migrations).filter(([name]) => name < "0062"),
  );
  await migrate(url, older);
  const account = privateKeyToAccount(generatePrivateKey());
  const address = account.address.toLowerCase();
  const { address: wallet } = account;
  const rest = { to: wallet, value: 0n, nonce: 3n, deadline: 77n };
  const data = encodeCall({ wallet, data: "0x", ...rest }, "0x");
  const signed = await account.signTransaction({
    ...{ type: "legacy", chainId: 5, nonce: 4, gas: 60_000n, gasPrice: 2n },
    ...{ to: account.address, data },
  });
  await sql`
    insert into projects (name) values ('older')`.execute(database);
  await sql`
    insert into gas_tanks (project_id, chain_id) values (1, 5)
  `.execute(database);
  await sql`
    insert into gas_sponsors
      (gas_tank_id, project_id, chain_id, address, name, active)
    values (1, 1, 5, ${address}, '', true)`.execute(database);
  await sql`
    insert into relays
      (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
      call_hash, account, account_nonce, transaction, transaction_hash, max_cost)
    values (1, 1, 1, 5, ${address}, 3, '0x', ${address}, 4, ${signed},
      ${keccak256(signed)}, 120000)`.execute(database);
  await migrate(url);
  const relay = await database
    .selectFrom("relays")
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(relay).toMatchObject({
    ...{ state: "pending", data, gas: "60000", deadline: "77" },
    ...{ cost: "0", is_final: false, transaction_hash: keccak256(signed) },
  });
  const transactions = await database
    .selectFrom("relay_transactions")
    .selectAll()
    .execute();
  expect(transactions).toMatchObject([
    { relay_id: relay.id, account: address, account_nonce: 4 },
  ]);
});

/** The keys of the project in the dump. */
const olderKeys = {
  accessKey: "AQAAAAAAAAAHc2V2ZW50ZWVuIGxldHRlcnM",
  secret:
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwcm9qZWN0Ijo3LCJzY29wZXMiOlsicmVhZCIsIndyaXRlIl0sImp0aSI6Im9sZC1zZWNyZXQiLCJpYXQiOjE3NjczMjMwNDUsImV4cCI6Mzk3NjMxMTg0NX0.efnBcECqTds7UyuQvNL-iZ_oNr2p0d9i550pz2GFfLk",
};

/** Creates a database with the first schema version. Output: its URL. */
async function restoreDump(): Promise<string> {
  const url = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const dump = "platform/test/database/schema-0020.sql";
  await client.query(readFileSync(dump, "utf8"));
  await client.end();
  return url;
}

test("upgrades and serves a dump of the first version", async () => {
  const url = await restoreDump();
  const later = Object.keys(migrations).filter((name) => name > "0020-relayer");
  expect(await migrate(url)).toEqual(later);

  const database = open(url);
  const { call } = servePlatform(database);
  const headers = headersOf(olderKeys);
  const list = await call("/rpc/Builder/ListAudiences", headers, {
    projectId: 7,
  });
  expect(list.body).toMatchObject({
    audiences: [{ id: 3, name: "Kept", contactCount: 2 }],
  });
  const last = await call("/rpc/Builder/RemoveAudienceContacts", headers, {
    ...{ projectId: 7, audienceId: 3 },
    contactIds: [2n ** 64n - 1n],
  });
  expect(last.status).toBe(200);
  const again = await call("/rpc/Relayer/AddGasSponsor", headers, {
    projectId: 7,
    address: "0x00000000000000000000000000000000000000A3",
    name: "changed",
  });
  expect(again.body["gasSponsor"]).toMatchObject({
    ...{ id: 9, gasTankId: 5, name: "changed" },
  });
  const tank = await database.selectFrom("gas_tanks").selectAll().execute();
  expect(tank).toMatchObject([{ balance: "123456789012345678901234567890" }]);
  const links = await database
    .selectFrom("linked_wallets")
    .select("linked_wallet_address")
    .execute();
  expect(links).toEqual([
    { linked_wallet_address: `0x${"a2".padStart(40, "0")}` },
  ]);
});

test("upgrades a database from before the console and keeps its data", async () => {
  const url = await restoreDump();
  const older = Object.fromEntries(
    Object.entries(migrations).filter(([name]) => name < "0077"),
  );
  await migrate(url, older);
  const database = open(url);
  const hash = `0x${"0d".repeat(32)}`;
  const statements = [
    sql`insert into relays
      (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
      call_hash, data, gas, deadline, max_cost, max_data_fee, state, cost, settled_at)
      select 7, 9, 5, chain_id, '0xa', each, 'call' || each, '0x', 1, 1, 9, 0,
        'done', 5, now()
      from gas_tanks, generate_series(1, 2) as each`,
    sql`insert into marketplace_collections (chain_id, address)
      values (5, '0xc')`,
    sql`insert into marketplace_orders
      (chain_id, contract, order_hash, collection_id, side, maker, currency,
      quantity, data, ends_at, block_number, log_index, mined_at)
      values (5, '0xd', ${hash}, 1, 'offer', '0xe', '0xf', 3, '0x', 'infinity',
        8, 2, '2026-01-02T03:04:05Z')`,
    sql`insert into jobs (queue, key, lane, payload, attempts, reason, dead_at)
      values ('q', 'dead', '7', '{"a":1}', 3, 'silent', now())`,
  ];
  for (const statement of statements) await statement.execute(database);
  const tables = [
    ...["access_keys", "secrets", "gas_tanks", "relays", "jobs"],
    ...["marketplace_orders", "audience_contacts"],
  ];
  const read = async () => {
    const found = [];
    for (const table of tables) {
      const query = sql`select * from ${sql.table(table)}`;
      found.push((await query.execute(database)).rows);
    }
    return found;
  };
  const before = await read();
  expect(before).not.toContainEqual([]);
  await migrate(url);
  expect(await read()).toMatchObject(before);

  // The tank's balance is the total of its fills minus its payments.
  const { rows: fills } = await sql`
    select gas_tank_id, amount, operator from gas_tank_fills`.execute(database);
  const amount = "123456789012345678901234567900";
  expect(fills).toEqual([{ gas_tank_id: 5, amount, operator: null }]);
  const { rows: added } = await sql`
    select (select signature from marketplace_orders) as signature,
      (select history from jobs) as history,
      (select last_used_at from access_keys) as used`.execute(database);
  expect(added).toEqual([{ signature: null, history: [], used: null }]);
  const { call } = servePlatform(database);
  const list = await call("/rpc/Builder/ListAudiences", headersOf(olderKeys), {
    projectId: 7,
  });
  expect(list.body).toMatchObject({ audiences: [{ id: 3, name: "Kept" }] });
});
