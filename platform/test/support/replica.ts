import { appendFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type pg from "pg";
import { onTestFinished } from "vitest";

import { changeOwner } from "../../database/binaries.js";
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from "../../database/embedded.js";
import { withClient } from "../../database/with-client.js";
import { makeDataFolder } from "../load/spawned-platform.js";
import { unprivilegedAccount } from "../../process/programs/account.js";
import { silent } from "./test-database.js";

/** Options of a session that can write although the default is read-only. */
const writing = "-c default_transaction_read_only=off";

/** Runs statements, each in a transaction of its own. */
export function execute(
  url: string,
  ...statements: readonly string[]
): Promise<void> {
  return withClient(
    { connectionString: url, options: writing },
    async (client) => {
      for (const statement of statements) await client.query(statement);
    },
  );
}

/** A PostgreSQL server in a folder, until the test ends. */
export interface TestServer {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
}

/** Starts PostgreSQL in a folder, which is removed when the test ends. */
export async function startServer(folder: string): Promise<TestServer> {
  const server: EmbeddedDatabase = await startEmbeddedDatabase(folder, silent);
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, url: server.url, port: Number(new URL(server.url).port) };
}

/**
 * Starts a replica, to which the primary replicates synchronously: it
 * acknowledges a commit only once the replica has stored it.
 */
export async function startReplica(primary: TestServer): Promise<TestServer> {
  const folder = makeDataFolder();
  const cluster = join(folder, "database", "cluster");
  await withClient({ connectionString: primary.url }, (client) =>
    copyCluster(client, join(primary.folder, "database"), folder),
  );
  const { password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=platform password=${password}`;
  appendFileSync(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = '${source}'\n`,
  );
  writeFileSync(join(cluster, "standby.signal"), "");
  changeOwner(join(folder, "database"), unprivilegedAccount());
  const replica = await startServer(folder);
  await execute(
    primary.url,
    "alter system set synchronous_standby_names = '*'",
    "select pg_reload_conf()",
  );
  return replica;
}

/** Copies the files of a running server, as a base backup does. */
async function copyCluster(
  client: pg.Client,
  from: string,
  folder: string,
): Promise<void> {
  await client.query("select pg_backup_start('replica', true)");
  cpSync(from, join(folder, "database"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith("postmaster.pid"),
  });
  const { rows } = await client.query<{ readonly label: string }>(
    "select labelfile as label from pg_backup_stop()",
  );
  const label = join(folder, "database", "cluster", "backup_label");
  writeFileSync(label, rows[0]?.label ?? "");
}
