import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import type { Logger } from "pino";

import {
  type Account,
  unprivilegedAccount,
} from "../process/programs/account.js";
import { findFreePort } from "../process/programs/free-port.js";
import {
  type GuardedProcess,
  startGuarded,
} from "../process/programs/guarded-process.js";
import { keepRunning } from "../process/lifecycle/keep-running.js";
import { makeFolder } from "../process/programs/make-folder.js";
import { reachableFolder } from "../process/programs/reachable-folder.js";
import {
  findBinaries,
  changeOwner,
  type PostgresBinaries,
} from "./binaries.js";
import { stateOf, waitUntilReady } from "./wait-until-ready.js";

/** A PostgreSQL server that stops when this process ends. */
export interface EmbeddedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The data of a PostgreSQL server, and what is needed to start the server. */
interface Cluster {
  readonly folder: string;
  readonly account: Account | null;
  readonly binaries: PostgresBinaries;
  readonly url: string;
  readonly port: number;
  readonly log: Logger;
}

/** Options for {@link startEmbeddedDatabase}. */
export interface EmbeddedDatabaseOptions {
  /** The port to listen on. Default: a free one. */
  readonly port?: number;
  /** Stops the wait for the first start. */
  readonly signal?: AbortSignal | undefined;
}

const user = "platform";

/** How long to wait for the server of a killed platform to stop. */
const maxWaitMs = 5000;

/**
 * Starts PostgreSQL and restarts it if it exits unexpectedly. The data stays in
 * its folder.
 *
 * Errors: Error if it does not start, e.g. because it is already running, or if the
 * signal aborts before.
 */
export async function startEmbeddedDatabase(
  dataFolder: string,
  log: Logger,
  { port: givenPort, signal }: EmbeddedDatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  const account = unprivilegedAccount();
  const folder = reachableFolder(join(dataFolder, "database"), account);
  makeFolder(folder);
  if (!existsSync(join(folder, "cluster"))) changeOwner(folder, account);
  const binaries = await findBinaries(folder, account);
  await createCluster(folder, account, binaries);
  const port = givenPort ?? (await findFreePort());
  const url = urlOf(folder, port);
  const cluster = { folder, account, binaries, url, port, log };
  const server = await keepRunning("the database", log, (stopping) =>
    startServer(
      cluster,
      AbortSignal.any([stopping, ...(signal ? [signal] : [])]),
    ),
  );
  return { url, stop: () => server.stop() };
}

/**
 * Returns the URL of the embedded database in a folder, or null if it is not
 * running.
 */
export async function findRunningDatabase(
  dataFolder: string,
): Promise<string | null> {
  const account = unprivilegedAccount();
  const folder = reachableFolder(join(dataFolder, "database"), account);
  const lockFile = join(folder, "cluster", "postmaster.pid");
  if (!existsSync(lockFile)) return null;
  // The port is on the fourth line. A killed server leaves the file behind.
  const [, , , port] = readFileSync(lockFile, "utf8").split("\n");
  const url = urlOf(folder, Number(port));
  return (await stateOf(url)) === "ready" ? url : null;
}

function urlOf(folder: string, port: number): string {
  const password = readFileSync(join(folder, "password"), "utf8");
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}

/** Creates the files of a database if they do not exist yet. */
async function createCluster(
  folder: string,
  account: Account | null,
  { initdb, environment }: PostgresBinaries,
): Promise<void> {
  const cluster = join(folder, "cluster");
  if (existsSync(cluster)) return;
  const password = join(folder, "password");
  writeFileSync(password, randomBytes(24).toString("hex"), { mode: 0o600 });
  // An interrupted run must not leave an incomplete `cluster` folder.
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  changeOwner(folder, account);
  const options = [
    `--pgdata=${unfinished}`,
    `--username=${user}`,
    `--pwfile=${password}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
  ];
  await promisify(execFile)(initdb, options, {
    env: { ...process.env, ...environment },
    cwd: folder,
    ...account,
  });
  renameSync(unfinished, cluster);
}

/**
 * Starts the server and waits until it responds. If another server is still
 * using the data, keeps trying until `maxWaitMs` have passed.
 */
async function startServer(
  cluster: Cluster,
  signal: AbortSignal,
): Promise<GuardedProcess> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const server = spawnServer(cluster);
    if (await waitUntilReady(server, cluster.url, { log: cluster.log, signal }))
      return server;
    await server.stop();
    const reason = server.lastLines.join("\n");
    const isInUse = /postmaster\.pid|shared memory/u.test(reason);
    if (!isInUse) {
      throw new Error(`the embedded database did not start:\n${reason}`);
    }
    if (performance.now() > deadline) {
      throw new Error(`another platform is running in ${cluster.folder}`);
    }
    await sleep(200);
  }
}

function spawnServer({
  account,
  binaries,
  folder,
  log,
  port,
}: Cluster): GuardedProcess {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "shared_buffers=64MB",
    "max_connections=200",
  ];
  return startGuarded({
    command: binaries.postgres,
    arguments: [
      ...["-D", join(folder, "cluster"), "-p", String(port)],
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    environment: binaries.environment,
    account,
    // End sessions cleanly without waiting for clients to disconnect.
    stopSignal: "SIGINT",
    graceMs: 10_000,
    onLine: (line) => log.debug({ database: line }),
  });
}
