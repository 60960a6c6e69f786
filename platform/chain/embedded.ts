import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { createTestClient, http, type TestClient } from "viem";

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
  const client = createTestClient({
    mode: "anvil",
    transport: http(anvil.rpcUrl),
  });
  const store = createStore(client, path);
  const timer = setInterval(() => {
    store.save().catch((error: unknown) => {
      if (!anvil.process.isOver) options.onError(error);
    });
  }, options.saveEveryMs);
  timer.unref();
  return {
    rpcUrl: anvil.rpcUrl,
    save: store.save,
    ended: anvil.process.ended,
    stop: async () => {
      clearInterval(timer);
      if (!anvil.process.isOver) await store.save();
      await anvil.process.stop();
    },
  };
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
      ...(hasState(path) ? ["--load-state", path] : []),
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

function hasState(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
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

interface Store {
  save(): Promise<void>;
}

/** Saves by renaming, so that a kill leaves the file whole; only what is new. */
function createStore(client: TestClient, path: string): Store {
  let saved = "";
  const write = async (): Promise<void> => {
    const packed = await client.dumpState();
    if (packed === saved) return;
    const state = await promisify(gunzip)(Buffer.from(packed.slice(2), "hex"));
    writeFileSync(`${path}.new`, state);
    renameSync(`${path}.new`, path);
    saved = packed;
  };
  let running = Promise.resolve();
  return {
    save: () => {
      running = running.catch(() => {}).then(write);
      return running;
    },
  };
}
