import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

import { pino } from "pino";

import { describe } from "./announce/describe.js";
import { writeReadyFile } from "./announce/ready-file.js";
import { factsOf } from "./process/error-facts.js";
import { readSettings } from "./settings/read-settings.js";
import { startPlatform } from "./start.js";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { "ready-file": { type: "string" } },
  });
  const readyFile = values["ready-file"];
  // Remove the file of an earlier run, which could be mistaken for the current
  // one.
  if (readyFile !== undefined) rmSync(readyFile, { force: true });
  const stopping = new AbortController();
  const end = waitForEnd().then(() => stopping.abort());
  const settings = readSettings(process.env);
  // Standard output is for the user, so logs go to standard error.
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  const running = await startPlatform(settings, log, stopping.signal);
  process.stdout.write(describe(running));
  if (readyFile !== undefined) writeReadyFile(readyFile, running);
  await end;
  await running.close();
}

/** The interval between checks whether npm is still running. */
const watchMs = 250;

/**
 * Settles when this process should exit: on Ctrl-C, on a signal, or when the
 * npm process that started it exits, because npm does not always forward
 * signals.
 */
function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    // Do not use `once`, because npm and the terminal may both send the signal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => resolve());
    }
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, watchMs);
    timer.unref();
  });
}

main().then(
  // Exit even if some resource is still open.
  () => process.exit(),
  (error: unknown) => {
    console.error(`the platform did not start: ${factsOf(error).reason}`);
    process.exit(1);
  },
);
