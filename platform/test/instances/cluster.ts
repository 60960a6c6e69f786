import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { retry } from "@ridlkit/runtime/interceptors";
import { expect, onTestFailed, onTestFinished } from "vitest";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { addressesOf } from "../../announce/ready-file.js";
import { startEmbeddedChain } from "../../chain/embedded.js";
import { openDatabase } from "../../database/pool.js";
import type { KeyStore } from "../../keys/key-store.js";
import { deriveKeys } from "../../keys/master-secret.js";
import type { FailingPlatform } from "../crash/crashing-platform.js";
import {
  makeDataFolder,
  type PlatformProcess,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../start/start-platform.js";
import { createDatabase, silent } from "../support/test-database.js";
import { openBalancer } from "./balancer.js";

/**
 * Instances of the platform behind a balancer, with one database and one chain.
 */
export interface Cluster extends FailingPlatform {
  readonly store: KeyStore;
  /** A client that retries failed calls. */
  client(accessKey?: string): PlatformClient;
  /** Kills an instance, and restarts it once `work` is done. */
  whileKilled(index: number, work: () => Promise<void>): Promise<void>;
  /**
   * Starts an instance of this version, and then stops the one that it replaces.
   *
   * Input: variables that differ from those of the cluster.
   */
  replace(
    index: number,
    changes?: Readonly<Record<string, string>>,
  ): Promise<Ready>;
  /** Everything that the instances have printed. */
  output(): string;
  /** The file of each instance in which `record-steps.ts` lists long steps. */
  stepFiles(): readonly string[];
  /** Freezes an instance, and resumes it after `work`. */
  whileFrozen(index: number, work: () => Promise<void>): Promise<void>;
}

const secret = "a secret that all instances have";

/** The password of the operator `owner` on all instances. */
export const operatorToken = "an operator token that all instances have";

/**
 * Retries long enough for the database to release a frozen instance's locks.
 */
const retryOptions = { attempts: 40, backoffMs: 100, maxBackoffMs: 1000 };

/**
 * Returns whether an error is worth retrying. The contract declares
 * `Unavailable` with status 400.
 */
function isPassing(error: unknown): boolean {
  const { name, reason, status } = Object(error);
  const isBusy = [429, 502, 503, 504].includes(status);
  // A frozen instance still runs the call with the same idempotency key.
  const isRunning = name === "WebrpcRequestFailed" && status === 409;
  return name === "Unavailable" || reason === "network" || isBusy || isRunning;
}

/** A program to start instead of this version. */
export interface Program {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>> | undefined;
}

/**
 * Starts instances that run until the test ends.
 *
 * Input: the program of the first instances. The default is this version.
 */
export async function startCluster(
  size: number,
  older?: Program,
): Promise<Cluster> {
  const databaseUrl = await createDatabase();
  const folder = makeDataFolder();
  const chain = await startEmbeddedChain({
    ...{ chainId: 31337, folder, saveEveryMs: 60_000 },
    onError: () => undefined,
  });
  onTestFinished(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true });
  });
  const balancer = await openBalancer();
  const environment = {
    DATABASE_URL: databaseUrl,
    CHAIN_URL: chain.rpcUrl,
    PLATFORM_SECRET: secret,
    OPERATOR_TOKEN: operatorToken,
    ALLOW_PRIVATE_TARGETS: "true",
    // The balancer notices within 200 ms that an instance is going to stop.
    DRAIN_MS: "1000",
  };
  const outputs: (() => string)[] = [];
  const stepFiles: string[] = [];
  onTestFailed(() => {
    for (const each of outputs) console.log(each().slice(-3000));
  });
  const start = async (
    index: number,
    program?: Partial<Program>,
  ): Promise<PlatformProcess> => {
    const home = makeDataFolder();
    const stepFile = join(home, "steps");
    stepFiles.push(stepFile);
    const spawned = spawnPlatform(
      home,
      { ...environment, ...program?.environment, STEPS_FILE: stepFile },
      [
        process.execPath,
        "--import=./dist/platform/test/load/record-steps.js",
        program?.path ?? "dist/platform/main.js",
      ],
    );
    outputs.push(spawned.output);
    onTestFinished(async () => {
      await spawned.end("SIGKILL");
      await waitUntilGone(home);
      rmSync(home, { recursive: true });
    });
    const instance = { ...spawned, ready: await spawned.ready };
    balancer.set(index, instance.ready.baseUrl);
    return instance;
  };
  const instances: PlatformProcess[] = [];
  for (let index = 0; index < size; index += 1) {
    instances.push(await start(index, older));
  }
  onTestFinished(balancer.close);
  const { database } = openDatabase(databaseUrl, silent);
  onTestFinished(() => database.destroy());
  const waitUntilReady = async (): Promise<void> => {
    while (balancer.countReady() < size) await sleep(50);
  };
  await waitUntilReady();
  const find = (index: number): PlatformProcess => {
    const instance = instances[index];
    if (instance === undefined) throw new Error(`no instance ${index}`);
    return instance;
  };
  const ready = { ...find(0).ready, baseUrl: balancer.url };
  return {
    ready: () => ready,
    store: { database, keys: deriveKeys(secret) },
    withDatabase: (work) => work(database),
    fetch: fetchAgain,
    client: (accessKey = ready.accessKey) =>
      createPlatformClient({
        hosts: addressesOf(balancer.url),
        parameters: { network: ready.network },
        credentials: { accessKey, secret: ready.secret },
        timeoutMs: 60_000,
        use: [retry({ ...retryOptions, isPassing })],
      }),
    whileKilled: async (index, work) => {
      await find(index).end("SIGKILL");
      await work();
      instances[index] = await start(index);
      await waitUntilReady();
    },
    replace: async (index, changes) => {
      const old = find(index);
      const instance = await start(index, { environment: changes });
      instances[index] = instance;
      await waitUntilReady();
      expect(await old.end("SIGTERM")).toBe(0);
      return instance.ready;
    },
    output: () => outputs.map((each) => each()).join("\n"),
    stepFiles: () => stepFiles,
    whileFrozen: async (index, work) => {
      find(index).signal("SIGSTOP");
      await work();
      find(index).signal("SIGCONT");
      await waitUntilReady();
    },
  };
}

/**
 * Works like `fetch` with retries, for calls that a generated client cannot
 * make.
 */
const fetchAgain: typeof fetch = async (url, init) => {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === retryOptions.attempts;
    const response = await fetch(url, init).catch((error: unknown) => {
      // The balancer cuts connections if a busy machine stalls an instance.
      if (isLast) throw error;
      return new Response(null, { status: 502 });
    });
    const { status } = response;
    const { error: name } = Object(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    if (!isPassing({ name, status }) || isLast) return response;
    await sleep(retryOptions.backoffMs * attempt);
  }
};
