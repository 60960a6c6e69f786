import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";

import { isRpcError } from "@ridlkit/runtime/errors";

import { monitoredPool } from "../../database/monitored-pool.js";
import { startEmbeddedDatabase } from "../../database/embedded.js";
import { migrate } from "../../database/migrate.js";
import { openNotifications } from "../../database/notifications.js";
import { openDatabase } from "../../database/pool.js";
import { withClient } from "../../database/with-client.js";
import {
  createTestProject,
  headersOf,
  hostPlatform,
  type ServedPlatform,
  servePlatform,
  type TestProject,
} from "../support/serve-platform.js";
import { createDatabase, silent } from "../support/test-database.js";

const servers = ["api", "indexer", "marketplace", "metadata", "relayer"]
  .map((host) => readFileSync(`generated/${host}/server.ts`, "utf8"))
  .join("");

/** Options of a session that can write although the default is read-only. */
const writing = "-c default_transaction_read_only=off";

/** All methods that take a key and therefore need the database. */
const paths = [...servers.matchAll(/path: "(.*\/rpc\/[^"]+)"/gu)].map(
  ([, path = ""]) => path.replace("{network}", "hardhat"),
);

/** Returns the distinct errors and statuses that the methods respond with. */
async function errorsOf(
  { call }: ServedPlatform,
  project: TestProject,
): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    paths.map((path) => call(path, headersOf(project), {})),
  );
  return new Set(
    answers.map(({ status, body }) => `${status} ${String(body["error"])}`),
  );
}

test("reports every method as Unavailable until the database is back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-database-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = await startEmbeddedDatabase(folder, silent);
  const { database } = openDatabase(first.url, silent);
  onTestFinished(() => database.destroy());
  await migrate(first.url);
  const platform = servePlatform(database);
  const { store } = platform;
  const host = await hostPlatform(platform);
  const readiness = async (): Promise<string> => {
    const response = await fetch(`${host.baseUrl}/readyz`);
    return `${response.status} ${await response.text()}`;
  };
  const project = await createTestProject(store);
  // The methods accept the keys and reject the message.
  const answered = new Set(["400 InvalidArgument"]);
  expect(await errorsOf(platform, project)).toEqual(answered);

  await first.stop();
  const unavailable = new Set(["400 Unavailable"]);
  expect(await errorsOf(platform, project)).toEqual(unavailable);
  expect(await readiness()).toBe('503 {"status":"no database"}');
  // Methods without a key also need the database.
  const read = `${host.baseUrl}/tokens/hardhat/0x${"a".repeat(40)}`;
  expect(await (await fetch(read)).json()).toMatchObject({
    ...{ error: "Unavailable", cause: "the database does not respond" },
  });

  const port = Number(new URL(first.url).port);
  const second = await startEmbeddedDatabase(folder, silent, { port });
  onTestFinished(() => second.stop());
  expect(await errorsOf(platform, project)).toEqual(answered);
  expect(await readiness()).toBe('200 {"status":"ready"}');
});

test("treats a read-only server as unavailable until it can write again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-database-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = await startEmbeddedDatabase(folder, silent);
  onTestFinished(() => server.stop());
  const { database } = openDatabase(server.url, silent);
  onTestFinished(() => database.destroy());
  await migrate(server.url);
  const platform = servePlatform(database);
  const host = await hostPlatform(platform);
  const readiness = async (): Promise<number> =>
    (await fetch(`${host.baseUrl}/readyz`)).status;
  const project = await createTestProject(platform.store);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const notifications = openNotifications(server.url, "some", log);
  onTestFinished(() => notifications.stop());
  const heard: (string | null)[] = [];
  notifications.listen((message) => heard.push(message));
  await expect.poll(() => heard).toEqual([null]);
  const setReadOnly = (value: "on" | "off"): Promise<void> =>
    withClient(
      { connectionString: server.url, options: writing },
      async (client) => {
        await client.query(
          `alter system set default_transaction_read_only = ${value}`,
        );
        await client.query("select pg_reload_conf()");
      },
    );

  await setReadOnly("on");
  // The pool's connections are open, and their sessions become read-only.
  await expect.poll(readiness).toBe(503);
  expect(await errorsOf(platform, project)).toEqual(
    new Set(["400 Unavailable"]),
  );
  await expect(migrate(server.url)).rejects.toThrow("the server is read-only");
  await expect.poll(() => lines.join()).toContain("the server is read-only");

  await setReadOnly("off");
  await expect.poll(readiness).toBe(200);
  expect(await errorsOf(platform, project)).toEqual(
    new Set(["400 InvalidArgument"]),
  );
  // The listener has connected again, because it could have missed messages.
  await expect.poll(() => heard).toEqual([null, null]);
});

test("methods that list their errors list Unavailable", () => {
  const lists = [...servers.matchAll(/errors: \[([^\]]*)\]/gu)];
  expect(lists).not.toEqual([]);
  for (const [list] of lists) expect(list).toContain('"Unavailable"');
});

test("survives a connection that is lost during or between queries", async () => {
  const { database } = openDatabase(await createDatabase(), silent);
  onTestFinished(() => database.destroy());
  const terminate = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const lostInQuery = sql`select pg_sleep(20)`
    .execute(database)
    .catch((error: unknown) => error);
  await expect
    .poll(async () => (await terminate.execute(database)).rows.length)
    .toBeGreaterThan(0);
  expect(await lostInQuery).toSatisfy((error) =>
    isRpcError(error, "Unavailable"),
  );
  const lostBetween = database.transaction().execute(async (transaction) => {
    await terminate.execute(database);
    await sql`select 1`.execute(transaction);
  });
  await expect(lostBetween).rejects.toMatchObject({
    name: "Unavailable",
    cause: "the database does not respond",
  });
  const { rows } = await sql`select 1 as one`.execute(database);
  expect(rows).toEqual([{ one: 1 }]);
});

test("does not treat a database error as an outage", async () => {
  const { database } = openDatabase(await createDatabase(), silent);
  onTestFinished(() => database.destroy());
  const query = sql`select * from nothing`.execute(database);
  await expect(query).rejects.toThrow('relation "nothing" does not exist');
});

test("reports a full disk as such, and logs it once", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const { database } = openDatabase(await createDatabase(), log);
  onTestFinished(() => database.destroy());
  const full = sql`do $$ begin raise disk_full; end $$`;
  for (const _ of [1, 2]) {
    await expect(full.execute(database)).rejects.toMatchObject({
      ...{ name: "Unavailable", cause: "the database's disk is full" },
    });
    await sql`select 1`.execute(database);
  }
  expect(lines).toEqual([expect.stringContaining("disk is full")]);
});

test("does not treat an exhausted connection pool as an outage", async () => {
  const connectionString = await createDatabase();
  const connections = new pg.Pool({ connectionString, max: 1 });
  const pool = monitoredPool(connections, silent);
  const client = await pool.connect();
  // Set this limit only after the first connection, because connecting may take
  // longer than 50 ms.
  connections.options.connectionTimeoutMillis = 50;
  await expect(pool.connect()).rejects.toMatchObject({
    ...{ name: "WebrpcRequestFailed", status: 503 },
  });
  connections.options.connectionTimeoutMillis = 0;
  client.release();
  (await pool.connect()).release();
  await pool.end();
});

/** Encodes a PostgreSQL message: its type, its length, and its content. */
function messageOf(kind: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(content)]);
}

test("survives a server that disappears during the handshake", async () => {
  const hello = [
    messageOf("R", "\0\0\0\0"),
    messageOf("Z", "I"),
    // Send everything at once, before any caller gets the connection.
    messageOf("E", "SFATAL\0C57P01\0Mgoing\0\0"),
  ];
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(Buffer.concat(hello)));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : 0;
  const url = `postgres://user@127.0.0.1:${port}/none?sslmode=disable`;
  const { database } = openDatabase(url, silent);
  await expect(sql`select 1`.execute(database)).rejects.toMatchObject({
    name: "Unavailable",
  });
  await database.destroy();
});
