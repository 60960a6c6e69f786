import { existsSync, mkdirSync } from "node:fs";
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
} from "../process/guarded-process.js";

/** A chain of our own. */
export interface EmbeddedChain {
  readonly rpcUrl: string;
  /** Writes the chain as it is now into the data folder. */
  save(): Promise<void>;
  /** Saves the chain, and stops it. */
  stop(): Promise<void>;
  /** Settles when the chain has ended, by itself or not. */
  readonly ended: Promise<void>;
}

/** How to start a chain. */
export interface EmbeddedChainOptions {
  readonly chainId: number;
  /** Where the chain is kept. */
  readonly folder: string;
  /** How often it is saved. */
  readonly saveEveryMs: number;
  /** Port to listen on; 0: any that is free. */
  readonly port?: number;
  /** Hears of what goes wrong while nobody waits for an answer. */
  readonly onError: (error: unknown) => void;
}

const stateFile = "chain.json";
const startTimeoutMs = 10_000;

/**
 * Starts an anvil with the chain of the last time. It mines a block for each
 * transaction at once, ends with this process however that ends, and is then
 * as it was saved last.
 *
 * Errors: Error when it does not start.
 */
export async function startEmbeddedChain(
  options: EmbeddedChainOptions,
): Promise<EmbeddedChain> {
  mkdirSync(options.folder, { recursive: true });
  const path = join(options.folder, stateFile);
  const anvil = await listen(options, path);
  const store = createStore(anvil.rpcUrl, path);
  const saving = saveNowAndThen(store, options, anvil.process);
  return {
    rpcUrl: anvil.rpcUrl,
    save: store.save,
    ended: anvil.process.ended,
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

/** Saves, until it is told to stop or there is nothing to save any more. */
function saveNowAndThen(
  store: Store,
  { saveEveryMs, onError }: EmbeddedChainOptions,
  anvil: GuardedProcess,
): AbortController {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    for (let tookMs = 0; ;) {
      // The longer the chain, the longer it takes: it is to be a small part.
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
  // It ends by being stopped, and only so.
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
  const last: string[] = [];
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
      last.splice(0, last.length - 4, line);
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
  throw new Error(`anvil does not start: ${last.join(" ").trim()}`);
}

/** The program of this machine's kind: the npm package has one for each. */
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

/** Where a chain is kept. */
interface Store {
  save(): Promise<void>;
  /** The same, if there is another last block than at the last time. */
  saveNews(): Promise<void>;
}

/** Saves by renaming, so that a kill leaves the file whole. */
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
  // One after the other: they write the same file.
  let last = Promise.resolve();
  const enqueue = (isForced: boolean): Promise<void> => {
    last = last.catch(() => undefined).then(() => write(isForced));
    return last;
  };
  return { save: () => enqueue(true), saveNews: () => enqueue(false) };
}
