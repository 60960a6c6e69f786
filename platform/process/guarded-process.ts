import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { Account } from "./account.js";

/** A program to run, and how. */
export interface GuardedProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Besides our own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Who it runs as; null: as we do. */
  readonly account?: Account | null;
  /** What makes it end in good order. */
  readonly stopSignal: "SIGINT" | "SIGTERM";
  /** After so many milliseconds it is killed. */
  readonly graceMs: number;
  /** Hears of each line that it prints. */
  readonly onLine?: (line: string) => void;
}

/** A program that runs until it is stopped, or this process ends. */
export interface GuardedProcess {
  /** Whether the program has ended. */
  readonly isOver: boolean;
  /** Settles when the program has ended, by itself or not. */
  readonly ended: Promise<void>;
  /** Stops the program, and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Starts a program that ends with this process, also when that is killed: a
 * guard in between notices. A killed guard is noticed here.
 */
export function startGuarded({
  onLine = () => {},
  ...program
}: GuardedProgram): GuardedProcess {
  const guard = fork(
    fileURLToPath(new URL("guard.js", import.meta.url)),
    [],
    // Detached: signals to our group are not for it, as it waits for us.
    {
      execArgv: [],
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  for (const stream of [guard.stdout, guard.stderr]) {
    if (stream !== null) createInterface(stream).on("line", onLine);
  }
  let pid: number | null = null;
  let isOver = false;
  guard.once("message", (message) => {
    if (typeof message === "number") pid = message;
  });
  const ended = new Promise<void>((resolve) => {
    guard.once("exit", (_code, signal) => {
      if (signal !== null && pid !== null) kill(pid, program.stopSignal);
      isOver = true;
      resolve();
    });
  });
  guard.send(program);
  return {
    get isOver() {
      return isOver;
    },
    ended,
    stop: async () => {
      if (guard.connected) guard.disconnect();
      await ended;
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
