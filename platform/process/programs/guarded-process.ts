import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { Account } from "./account.js";

/** A program and how to run it. */
export interface GuardedProgram {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Added to this process's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The account to run as, or null for this process's account. */
  readonly account?: Account | null;
  /** The signal that makes it exit cleanly. */
  readonly stopSignal: "SIGINT" | "SIGTERM";
  /** How long to wait for it to exit before killing it, in milliseconds. */
  readonly graceMs: number;
  /** Called with each line that it prints. */
  readonly onLine?: (line: string) => void;
}

/** A program that runs until it is stopped or this process ends. */
export interface GuardedProcess {
  /** Whether the program has ended. */
  readonly isOver: boolean;
  /** Settles when the program has exited, whether or not it was stopped. */
  readonly ended: Promise<void>;
  /** The last lines that it has printed. */
  readonly lastLines: readonly string[];
  /** Stops the program and waits for it to exit. */
  stop(): Promise<void>;
}

const keptLines = 5;

/**
 * Starts a program that exits when this process does, even if this process is
 * killed. An intermediate guard process detects the end of this process and
 * stops the program. If the guard is killed, this process stops the program.
 */
export function startGuarded({
  onLine = () => {},
  ...program
}: GuardedProgram): GuardedProcess {
  const guard = fork(
    fileURLToPath(new URL("guard.js", import.meta.url)),
    [],
    // Detach the guard, because signals to the process group are not meant for
    // it.
    {
      execArgv: [],
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  const lastLines: string[] = [];
  for (const stream of [guard.stdout, guard.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > keptLines) lastLines.shift();
      onLine(line);
    });
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
    lastLines,
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
    // The process has already ended.
  }
}
