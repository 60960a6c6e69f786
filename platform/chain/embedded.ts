import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { createTestClient, type Hash, http, publicActions } from "viem";

import {
  type GuardedProcess,
  startGuarded,
} from "../process/programs/guarded-process.js";
import { makeFolder } from "../process/programs/make-folder.js";

/** A local chain that the platform runs itself. */
export interface EmbeddedChain {
  readonly rpcUrl: string;
  /** Writes the current state of the chain to the data folder. */
  save(): Promise<void>;
  /** Saves the chain and stops it. */
  stop(): Promise<void>;
  /** Settles when the chain has exited, whether or not it was stopped. */
  readonly ended: Promise<void>;
  /** The last lines that it has printed. */
  readonly lastLines: readonly string[];
}

/** Options for starting a chain. */
export interface EmbeddedChainOptions {
  readonly chainId: number;
  /** The folder that stores the chain. */
  readonly folder: string;
  /** The time between two saves, in milliseconds. */
  readonly saveEveryMs: number;
  /** The port to listen on. 0 selects a free port. */
  readonly port?: number;
  /** Called with errors that occur in the background. */
  readonly onError: (error: unknown) => void;
}

const stateFile = "chain.json";
const startTimeoutMs = 10_000;

/**
 * Starts anvil with the most recently saved chain. It mines a block for each
 * transaction immediately, and it exits whenever this process does, even if
 * this process crashes. If it is started again after a crash, it resumes from
 * the last save.
 *
 * Errors: Error if it does not start.
 */
export async function startEmbeddedChain(
  options: EmbeddedChainOptions,
): Promise<EmbeddedChain> {
  makeFolder(options.folder);
  const path = join(options.folder, stateFile);
  const anvil = await listen(options, path);
  const store = createStore(anvil.rpcUrl, path);
  const saving = saveNowAndThen(store, options, anvil.process);
  return {
    rpcUrl: anvil.rpcUrl,
    save: store.save,
    ended: anvil.process.ended,
    lastLines: anvil.process.lastLines,
    stop: async () => {
      saving.abort();
      try {
        if (!anvil.process.isOver) await store.save();
      } finally {
        await anvil.process.stop();
      }
    },
  };
}

/** Saves periodically until it is stopped or the chain exits. */
function saveNowAndThen(
  store: Store,
  { saveEveryMs, onError }: EmbeddedChainOptions,
  anvil: GuardedProcess,
): AbortController {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    for (let tookMs = 0; ;) {
      // Saves take longer as the chain grows, so limit the share of time spent
      // saving.
      const pauseMs = Math.max(saveEveryMs, 10 * tookMs);
      await sleep(pauseMs, undefined, { signal, ref: false });
      const start = Date.now();
      await store.saveNews().catch((error: unknown) => {
        if (!anvil.isOver) onError(error);
      });
      tookMs = Date.now() - start;
    }
  };
  void anvil.ended.then(() => stopping.abort());
  // The loop only ends when it is aborted.
  run().catch(() => undefined);
  return stopping;
}

interface ListeningAnvil {
  readonly process: GuardedProcess;
  readonly rpcUrl: string;
}

async function listen(
  { chainId, port = 0 }: EmbeddedChainOptions,
  path: string,
): Promise<ListeningAnvil> {
  let announce: (rpcUrl: string) => void = () => {};
  const announced = new Promise<string>((resolve) => (announce = resolve));
  const anvil = startGuarded({
    command: anvilBinary(),
    arguments: [
      ...["--chain-id", String(chainId), "--port", String(port)],
      ...["--color", "never"],
      ...(existsSync(path) ? ["--load-state", path] : []),
    ],
    stopSignal: "SIGTERM",
    graceMs: 2000,
    onLine: (line) => {
      const address = /^Listening on (\S+)$/u.exec(line)?.[1];
      if (address !== undefined) announce(`http://${address}`);
    },
  });
  const rpcUrl = await Promise.race([
    announced,
    anvil.ended.then(() => null),
    new Promise<null>((resolve) => {
      setTimeout(resolve, startTimeoutMs, null).unref();
    }),
  ]);
  if (rpcUrl !== null) return { process: anvil, rpcUrl };
  await anvil.stop();
  throw new Error(`anvil did not start: ${anvil.lastLines.join(" ").trim()}`);
}

/**
 * Returns the path of the anvil binary. The npm package has one binary per
 * platform.
 */
function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const machine = process.arch === "x64" ? "amd64" : process.arch;
  const isWindows = process.platform === "win32";
  const name = `${process.platform}-${machine}/bin/anvil${isWindows ? ".exe" : ""}`;
  const anvil = createRequire(
    require.resolve("@foundry-rs/anvil/package.json"),
  );
  return anvil.resolve(`@foundry-rs/anvil-${name}`);
}

/** Stores a chain. */
interface Store {
  save(): Promise<void>;
  /** Saves only if the last block has changed since the last save. */
  saveNews(): Promise<void>;
}

/**
 * Saves to a temporary file and renames it, so that a crash never leaves a
 * partial file.
 */
function createStore(rpcUrl: string, path: string): Store {
  const client = createTestClient({
    mode: "anvil",
    transport: http(rpcUrl),
  }).extend(publicActions);
  let savedBlock: Hash | null = null;
  const write = async (isForced: boolean): Promise<void> => {
    const { hash } = await client.getBlock();
    if (hash === savedBlock && !isForced) return;
    const packed = await client.dumpState();
    const state = await promisify(gunzip)(Buffer.from(packed.slice(2), "hex"));
    await writeFile(`${path}.new`, state);
    await rename(`${path}.new`, path);
    savedBlock = hash;
  };
  // Saves run one at a time because they write the same file.
  let last = Promise.resolve();
  const enqueue = (isForced: boolean): Promise<void> => {
    last = last.catch(() => undefined).then(() => write(isForced));
    return last;
  };
  return { save: () => enqueue(true), saveNews: () => enqueue(false) };
}
