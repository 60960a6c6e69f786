import { appendFileSync } from "node:fs";

/**
 * Records the long steps of the event loop of a program that Node starts with
 * `--import`. Each line of the file `STEPS_FILE` is a step: the time at which it
 * ended, and the CPU time that it took, in milliseconds.
 */
const file = process.env["STEPS_FILE"] ?? "";

/** How often a timer looks. What it finds is at most this much too long. */
const everyMs = 5;

/** Steps that are not worth a line. */
const shortMs = 10;

let since = performance.now();
let used = process.cpuUsage();

appendFileSync(file, "");
setInterval(() => {
  const wall = performance.now() - since;
  const { system, user } = process.cpuUsage(used);
  // Other threads work, too, and others may have the cores.
  const ms = Math.min(wall, (system + user) / 1000);
  if (ms > shortMs) appendFileSync(file, `${Date.now()} ${ms.toFixed(1)}\n`);
  since = performance.now();
  used = process.cpuUsage();
}, everyMs).unref();
