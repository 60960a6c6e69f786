import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Kysely } from "kysely";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { findRunningDatabase } from "../../database/embedded.js";
import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";
import {
  makeDataFolder,
  programsOf,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../start/start-platform.js";
import { silent } from "../support/test-database.js";

/** The parts that can be killed. */
export const victims = ["platform", "database", "chain"] as const;

export type Victim = (typeof victims)[number];

/** A platform that receives writes while parts of it fail. */
export interface FailingPlatform {
  /** The most recent start. */
  ready(): Ready;
  client(): PlatformClient;
  /** Calls paths outside the contract. */
  readonly fetch: typeof fetch;
  /** Accesses the platform's database. */
  withDatabase<Value>(
    work: (database: Kysely<Tables>) => Promise<Value>,
  ): Promise<Value>;
}

/** A platform that is killed and restarted. */
export interface CrashingPlatform extends FailingPlatform {
  /** All output of its processes. */
  output(): string;
  /** Kills a part immediately. */
  kill(victim: Victim): Promise<void>;
  /** Freezes a part. Output: a function that resumes it. */
  freeze(victim: Exclude<Victim, "platform">): () => void;
  /** Waits until every part is ready again. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

const timeoutMs = 120_000;

/** Starts a platform in a separate folder. */
export async function startCrashing(
  environment: Readonly<Record<string, string>> = {},
): Promise<CrashingPlatform> {
  const folder = makeDataFolder();
  const outputs: (() => string)[] = [];
  const start = async () => {
    const process = spawnPlatform(folder, {
      ALLOW_PRIVATE_TARGETS: "true",
      ...environment,
    });
    outputs.push(process.output);
    return { ...process, isKilled: false, ready: await process.ready };
  };
  let current = await start();
  const recover = async (): Promise<void> => {
    if (current.isKilled) {
      await waitUntilGone(folder);
      current = await start();
    }
    const { baseUrl, chainUrl } = current.ready;
    const fail = (name: string): Error => {
      const lines = current.output().trimEnd().split("\n").slice(-10);
      return new Error(`${name} is not back:\n${lines.join("\n")}`);
    };
    const isReady = (): Promise<boolean> => isOk(`${baseUrl}/readyz`);
    if (!(await becomesTrue(isReady))) throw fail("the platform");
    const hasChain = (): Promise<boolean> => isChainReachable(chainUrl);
    if (!(await becomesTrue(hasChain))) throw fail("the chain");
  };
  return {
    ready: () => current.ready,
    client: () => clientOf(current.ready),
    fetch: (url, init) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(10_000) }),
    withDatabase: async (work) => {
      const url = await findRunningDatabase(folder);
      if (url === null) throw new Error("the database is not running");
      const { database } = openDatabase(url, silent);
      return work(database).finally(() => database.destroy());
    },
    output: () => outputs.map((each) => each()).join("\n"),
    kill: async (victim) => {
      if (victim === "platform") {
        await current.end("SIGKILL");
        current = { ...current, isKilled: true };
        return;
      }
      const pid = findPart(folder, victim);
      if (pid !== null) process.kill(pid, "SIGKILL");
    },
    freeze: (victim) => freeze(findPart(folder, victim)),
    recover,
    stop: async () => {
      await current.end("SIGTERM");
      await waitUntilGone(folder);
      rmSync(folder, { recursive: true });
    },
  };
}

function clientOf(ready: Ready): PlatformClient {
  const { accessKey, network, secret, services } = ready;
  return createPlatformClient({
    hosts: services,
    parameters: { network },
    credentials: { accessKey, secret },
    timeoutMs: 10_000,
  });
}

function findPart(folder: string, victim: Exclude<Victim, "platform">) {
  return victim === "database" ? findDatabase(folder) : findChain(folder);
}

/** Freezes a process and its children. Output: a function that resumes them. */
export function freeze(pid: number | null): () => void {
  if (pid === null) throw new Error("the process is not running");
  const signal = (name: NodeJS.Signals): void => {
    // Freeze the parent first, so it cannot start other processes.
    for (const each of [pid, ...childrenOf(pid)]) process.kill(each, name);
  };
  signal("SIGSTOP");
  return () => signal("SIGCONT");
}

function childrenOf(pid: number): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
}

/**
 * Returns the process ID of the database, or null if the database is not
 * running.
 */
function findDatabase(folder: string): number | null {
  const cluster = join(folder, "database", "cluster");
  const path = join(cluster, "postmaster.pid");
  if (!existsSync(path)) return null;
  const pid = parseInt(readFileSync(path, "utf8"), 10);
  // A killed process leaves its ID behind, and another process may have reused
  // it.
  return commandOf(pid).includes(cluster) ? pid : null;
}

/**
 * Returns the process ID of a chain whose command line contains the given
 * words, or null if there is none.
 */
export function findChain(words: string): number | null {
  const pid = programsOf(words).find((each) =>
    /anvil\0/u.test(commandOf(Number(each))),
  );
  return pid === undefined ? null : Number(pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // The process has exited.
    return "";
  }
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.ok;
}

async function isChainReachable(url: string): Promise<boolean> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
  });
  return response.ok && (await response.text()).includes("result");
}

async function becomesTrue(ask: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (await ask().catch(() => false)) return true;
    await sleep(50);
  }
  return false;
}
