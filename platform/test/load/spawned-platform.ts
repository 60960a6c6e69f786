import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { ServiceAddresses } from "../../announce/ready-file.js";
import type { Fixtures } from "../../chain/fixtures.js";
import type { seededTokenIds } from "../../chain/seed-collectibles.js";
import { orNull } from "../../process/failures/or-null.js";

/** The contents of the ready file. */
export interface Ready {
  readonly baseUrl: string;
  readonly metricsUrl: string;
  /** The URL of the project console. */
  readonly adminUrl: string;
  /** The URL of the embedded chain. */
  readonly chainUrl: string;
  readonly projectId: number;
  readonly accessKey: string;
  readonly secret: string;
  /** The secret that signs the project's notifications. */
  readonly webhookSecret: string;
  readonly services: ServiceAddresses;
  readonly network: string;
  readonly chainId: number;
  readonly fixtures: Fixtures & {
    readonly audience: number | null;
    readonly tokenIds: typeof seededTokenIds;
  };
}

/** A platform in a separate process. */
export interface PlatformProcess {
  readonly ready: Ready;
  /** Returns everything that it has printed. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /**
   * Sends a signal and waits for the process to exit. Returns the exit code, or
   * null if it was killed.
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/** Creates a data folder, which the caller must remove. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-platform-"));
  // When run as root, the platform runs the database under an unprivileged
  // account.
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Starts the compiled platform with a demo project. The caller must stop it.
 *
 * Input: the command to run. The default is this version's program.
 */
export function spawnPlatform(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  [command, ...given]: Command = [process.execPath, "dist/platform/main.js"],
): Omit<PlatformProcess, "ready"> & { readonly ready: Promise<Ready> } {
  const readyFile = join(folder, "ready.json");
  const started = spawn(command, [...given, "--ready-file", readyFile], {
    env: {
      ...process.env,
      PORT: "0",
      DATA_FOLDER: folder,
      DEMO: "true",
      DRAIN_MS: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [started.stdout, started.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = new Promise<number | null>((resolve) => {
    started.once("exit", resolve);
  });
  return {
    ready: readReady(readyFile, started, () => output),
    output: () => output,
    signal: (signal) => void started.kill(signal),
    end: (signal) => {
      started.kill(signal);
      return ended;
    },
  };
}

async function readReady(
  readyFile: string,
  started: ChildProcess,
  output: () => string,
): Promise<Ready> {
  await waitForFile(readyFile, started, output);
  const ready: Ready = JSON.parse(readFileSync(readyFile, "utf8"));
  rmSync(readyFile);
  return ready;
}

async function waitForFile(
  path: string,
  started: ChildProcess,
  output: () => string,
): Promise<void> {
  while (!existsSync(path)) {
    const { exitCode, signalCode } = started;
    if (exitCode !== null || signalCode !== null) throw new Error(output());
    await sleep(50);
  }
}

/**
 * Returns the IDs of the processes whose command lines or environments mention
 * a folder. Returns none on systems without `/proc`.
 */
export function programsOf(folder: string): readonly string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").filter(
    (name) =>
      /^[0-9]+$/u.test(name) &&
      ["cmdline", "environ"].some((file) =>
        // The process may have ended, or belong to another user.
        orNull(() => readFileSync(join("/proc", name, file)))?.includes(folder),
      ),
  );
}

/** Waits until `programsOf` finds no process for a folder. */
export async function waitUntilGone(folder: string): Promise<void> {
  while (programsOf(folder).length > 0) await sleep(50);
}
