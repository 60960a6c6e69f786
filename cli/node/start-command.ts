import type { ChildProcess } from "node:child_process";
import { exitCodes } from "../system/exit-codes.js";
import type { System } from "../system/system.js";

/**
 * A shell script that waits until its input ends, which happens when this
 * process does, however it ends. It then stops the process in `$1` and all that
 * this process has started, waits up to five seconds for them, and kills those
 * that are left. Without `ps`, it stops only the process itself.
 */
const guard = `
cat >/dev/null
all=$(ps -A -o pid= -o ppid= 2>/dev/null || ps -o pid= -o ppid= 2>/dev/null)
tree() {
  echo "$1"
  echo "$all" | while read -r pid parent; do
    if [ "$parent" = "$1" ]; then tree "$pid"; fi
  done
}
left=$(tree "$1")
kill $left 2>/dev/null
for round in $(seq 50); do
  ids=$left
  left=
  for id in $ids; do kill -0 "$id" 2>/dev/null && left="$left $id"; done
  [ -n "$left" ] || exit
  sleep 0.1
done
kill -9 $left 2>/dev/null
`;

/**
 * Starts a command in a shell, with the standard streams of this process. It
 * belongs to the same process group, so Ctrl-C and the end of the terminal reach
 * it, too. It ends with this process, even if this process is killed.
 */
export const startCommand: System["startCommand"] = (command, folder) => {
  // Loaded on demand, because few runs start a command.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(command, { cwd: folder, shell: true, stdio: "inherit" });
  const guarding = guardChild(child);
  let isStopped = false;
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(exitCodes.failure));
    child.once("exit", (code) => {
      const end = (): void => resolve(code ?? exitCodes.failure);
      const hasGuard = guarding?.exitCode === null && !guarding.signalCode;
      if (!hasGuard) return end();
      // What the command has started can end later than the command.
      guarding.once("exit", end);
      // Another process can get the number of one that has ended.
      if (!isStopped) guarding.kill("SIGKILL");
    });
  });
  return { ended, stop };

  function stop(): void {
    isStopped = true;
    guarding?.stdin?.end();
    if (isWindows()) killTree(child);
  }
};

/**
 * Starts a guard of a process. Returns null if the process did not start, or on
 * Windows, which has no such shell.
 */
function guardChild({ pid }: ChildProcess): ChildProcess | null {
  if (pid === undefined || isWindows()) return null;
  const { spawn } = process.getBuiltinModule("node:child_process");
  const started = spawn("/bin/sh", ["-c", guard, "sh", String(pid)], {
    // Signals to the process group are not meant for the guard.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It may not start, or may have ended.
  for (const part of [started, started.stdin]) part?.on("error", () => {});
  return started.pid === undefined ? null : started;
}

/**
 * Starts a command in a shell, to exchange lines of text with it. It ends when
 * its input ends, or is stopped a second later. It ends with this process, even
 * if this process is killed.
 */
export const startProgram: System["startProgram"] = (command, folder) => {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const { createInterface } = process.getBuiltinModule("node:readline");
  const child = spawn(command, {
    cwd: folder,
    // A group of its own, so that it can be stopped with what it has started.
    detached: !isWindows(),
    shell: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const guarding = guardChild(child);
  // A program that has ended does not read.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[
    Symbol.asyncIterator
  ]();
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  }).finally(() => guarding?.kill("SIGKILL"));
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    async read() {
      const { done, value } = await lines.next();
      return done === true ? null : value;
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => killTree(child), 1000);
      await ended;
      clearTimeout(timer);
    },
  };
};

/** Kills a process and what it has started, which is in its group. */
function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows()) {
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function isWindows(): boolean {
  return process.platform === "win32";
}
