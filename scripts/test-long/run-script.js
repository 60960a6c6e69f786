import { spawn } from "node:child_process";
import { constants } from "node:os";

const running = new Set();
const signals = ["SIGHUP", "SIGINT", "SIGTERM"];

/**
 * Runs a script of Node to its end. Processes that it leaves have `graceMs` to
 * end, even if they hold its output open.
 *
 * Returns its `status`, and the `text` that it printed.
 */
export function runScript(args, graceMs = 5_000) {
  if (running.size === 0) {
    for (const signal of signals) process.on(signal, endWith);
  }
  const child = spawn(process.execPath, args, {
    // A group can be killed as a whole. On Windows, it would open a window.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const output = [];
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.on("data", (data) => output.push(data));
  }
  child.once("exit", () =>
    setTimeout(() => {
      killGroup(child);
      // A process outside the group can hold them open, too.
      for (const stream of streams) stream.destroy();
      running.delete(child);
      if (running.size > 0) return;
      for (const signal of signals) process.off(signal, endWith);
    }, graceMs),
  );
  return new Promise((resolve) => {
    child.once("close", (code) =>
      resolve({ status: code ?? 1, text: Buffer.concat(output).toString() }),
    );
  });
}

process.on("exit", () => running.forEach(killGroup));

function endWith(signal) {
  process.exit(128 + constants.signals[signal]);
}

function killGroup({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}
