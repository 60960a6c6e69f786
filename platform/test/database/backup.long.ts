import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";

import { backUp, restore } from "../../database/backup.js";
import { migrate } from "../../database/migrate.js";
import { migrations } from "../../database/migrations/index.js";
import { openBuilder } from "../start/open-clients.js";
import {
  createDataFolder,
  startProcess,
  waitUntilGone,
} from "../start/start-platform.js";
import {
  createDatabase,
  createMigratedDatabase,
} from "../support/test-database.js";

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Reads, as text, all rows of the tables that a backup contains. */
async function readAll(url: string): Promise<Map<string, readonly string[]>> {
  const client = await connect(url);
  const { rows: tables } = await client.query<{ readonly name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relpersistence = 'p' and relname not like 'platform\\_migrations%'
      and relname not in ('contract_info', 'token_metadata')
    order by relname`);
  const found = new Map<string, readonly string[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ readonly text: string }>(
      `select to_jsonb(own)::text as text from ${name} as own order by text`,
    );
    const texts = rows.map(({ text }) => text);
    found.set(name, texts);
  }
  return found;
}

/** Fills a database with values that a conversion could change. */
async function fillWithEdgeCases(url: string): Promise<void> {
  const client = await connect(url);
  await client.query(`
    insert into projects (name, created_at)
    select E'line\\none \\\\ "two" \\t' || each, '2026-01-02T03:04:05.678901Z'
    from generate_series(1, 2500) as each`);
  await client.query("delete from projects where id = 2500");
  await client.query(`
    insert into secrets (id, project_id, hash, scopes, expires_at)
    values ('s', 7, '\\x00ff0a', '{read,"a b",NULL}', 'infinity')`);
  await client.query(`
    insert into gas_tanks (project_id, chain_id, balance)
    values (7, 5, 123456789012345678901234567890)`);
  await client.query(`
    insert into jobs (queue, key, payload) values ('q', 'k', 'null'),
      ('q', 'l', '{"b": 1.0, "a": [1e2], "b": "é\\u2028"}')`);
  await client.query(`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number)
    values (5, '0x${"1".repeat(40)}', '1', '{}', 'found', 9)`);
  await client.query(`
    insert into contract_info
      (chain_id, contract, decimals, document, outcome, read_number)
    values (5, '0x${"1".repeat(40)}', 0, '{}', 'found', 9)`);
}

/** Whether the programs of PostgreSQL are installed. */
const hasClient = (() => {
  try {
    execFileSync("pg_dump", ["--version"]);
    execFileSync("pg_restore", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

const testBackup = test.skipIf(!hasClient);

testBackup("restores all rows unchanged and continues sequences", async () => {
  const folder = createDataFolder();
  const path = join(folder, "backup");
  const source = await createMigratedDatabase();
  await fillWithEdgeCases(source);
  await backUp(source, path);
  const target = await createDatabase();
  await restore(target, path);
  expect(await readAll(target)).toEqual(await readAll(source));
  const client = await connect(target);
  const { rows } = await client.query(
    "insert into projects (name) values ('next') returning id",
  );
  expect(rows).toEqual([{ id: "2501" }]);
});

testBackup("leaves out cached documents", async () => {
  const path = join(createDataFolder(), "backup");
  const source = await createMigratedDatabase();
  await fillWithEdgeCases(source);
  await backUp(source, path);
  const target = await createDatabase();
  await restore(target, path);
  const client = await connect(target);
  const { rowCount } = await client.query(
    "select from token_metadata union all select from contract_info",
  );
  expect(rowCount).toBe(0);
});

testBackup("takes a backup as a snapshot, even during writes", async () => {
  const path = join(createDataFolder(), "backup");
  const source = await createMigratedDatabase();
  await fillWithEdgeCases(source);
  const writer = await connect(source);
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      // The snapshot has either both rows or neither.
      await writer.query(`
        with made as (insert into projects (name) values ('two') returning id)
        insert into audiences (project_id, name) select 7, id from made`);
    }
  })();
  await backUp(source, path);
  isOver = true;
  await writing;
  const target = await createDatabase();
  await restore(target, path);
  const client = await connect(target);
  const { rows } = await client.query(`
    select (select count(*) from projects where name = 'two')
      = (select count(*) from audiences) as same`);
  expect(rows).toEqual([{ same: true }]);
});

testBackup("rejects an invalid backup and changes nothing", async () => {
  const folder = createDataFolder();
  const path = join(folder, "backup");
  const source = await createMigratedDatabase();
  await fillWithEdgeCases(source);
  await backUp(source, path);
  const whole = readFileSync(path);
  await expect(backUp(source, path)).rejects.toThrow("EEXIST");
  expect(readFileSync(path)).toEqual(whole);
  await expect(restore(source, path)).rejects.toThrow("already exists");

  const cut = join(folder, "cut");
  copyFileSync(path, cut);
  truncateSync(cut, Math.floor(whole.length / 2));
  const target = await createDatabase();
  await expect(restore(target, cut)).rejects.toThrow("pg_restore failed");
  const other = join(folder, "other");
  writeFileSync(other, "text");
  await expect(restore(target, other)).rejects.toThrow("pg_restore failed");
  const none = join(folder, "none");
  await expect(restore(target, none)).rejects.toThrow("No such file");
  // The restore can be repeated with the complete file.
  await restore(target, path);
  expect(await readAll(target)).toEqual(await readAll(source));
  const empty = await createDatabase();
  await expect(backUp(empty, none)).rejects.toThrow(
    "does not contain a platform's tables",
  );
  // A backup that fails leaves no file behind.
  const foreign = new URL(source);
  foreign.username = `backup_${randomBytes(6).toString("hex")}`;
  foreign.password = "a b";
  const owner = await connect(source);
  await owner.query(`create role ${foreign.username} login password 'a b'`);
  onTestFinished(async () => {
    await owner.query(`drop role ${foreign.username}`);
  });
  await expect(backUp(foreign.href, none)).rejects.toThrow("pg_dump failed");
  expect(existsSync(none)).toBe(false);
});

testBackup("migrates a backup of an older version", async () => {
  const path = join(createDataFolder(), "backup");
  const { "0010-builder": _, ...older } = migrations;
  const source = await createDatabase();
  await migrate(source, older);
  await backUp(source, path);
  const target = await createDatabase();
  await restore(target, path);
  expect(await migrate(target)).toEqual([]);
});

test("reports missing programs of PostgreSQL", async () => {
  const { PATH } = process.env;
  onTestFinished(() => void Object.assign(process.env, { PATH }));
  process.env["PATH"] = "/nowhere";
  await expect(restore("postgres://127.0.0.1/none", "none")).rejects.toThrow(
    "pg_restore was not found: install PostgreSQL's client programs",
  );
});

testBackup(
  "continues a platform from a backup in a new data folder",
  async () => {
    const folder = createDataFolder();
    const path = join(folder, "backup");
    const admin = async (place: string, ...words: string[]) => {
      const main = "dist/platform/admin/main.js";
      const env = { ...process.env, DATA_FOLDER: place };
      const started = promisify(execFile)(process.execPath, [main, ...words], {
        env,
      });
      return (await started).stdout.trim();
    };
    const first = await startProcess(folder);
    const { projectId } = first.ready;
    const key = await admin(folder, "key", "create", String(projectId));
    const before = await openBuilder(first.ready).listAudiences({
      projectId,
    });
    expect(before.audiences).toHaveLength(1);
    // Make the backup while the platform runs.
    await admin(folder, "database", "backup", path);
    await first.end("SIGTERM");
    await waitUntilGone(folder);

    const fresh = join(createDataFolder(), "data");
    mkdirSync(fresh, { mode: 0o755 });
    for (const file of ["secret", "chain.json"]) {
      copyFileSync(join(folder, file), join(fresh, file));
    }
    await admin(fresh, "database", "restore", path);
    const second = await startProcess(fresh);
    expect(second.ready).toMatchObject({ projectId });
    for (const accessKey of [second.ready.accessKey, key]) {
      const builder = openBuilder({ ...second.ready, accessKey });
      expect(await builder.listAudiences({ projectId })).toEqual(before);
    }
    await expect(admin(fresh, "database", "restore", path)).rejects.toThrow(
      "already exists",
    );
    expect(await second.end("SIGTERM")).toBe(0);
  },
);
