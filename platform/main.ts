import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

import { pino } from "pino";

import { describe } from "./announce/describe.js";
import { writeReadyFile } from "./announce/ready-file.js";
import { toPrintable } from "./announce/to-printable.js";
import { createLog } from "./process/failures/create-log.js";
import { reasonOf } from "./process/failures/error-facts.js";
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
  const end = waitForEnd().then((signal) => {
    stopping.abort();
    return signal;
  });
  const settings = readSettings(process.env);
  // Standard output is for the user, so logs go to standard error.
  const stderr = pino.destination(2);
  const log = createLog(settings.logLevel, (line) =>
    stderr.write(toPrintable(line)),
  );
  const running = await startPlatform(settings, log, stopping.signal);
  process.stdout.write(toPrintable(describe(running)));
  if (readyFile !== undefined) writeReadyFile(readyFile, running);
  // Load balancers need time to notice that an instance is going to stop.
  await running.close((await end) === "SIGTERM");
}

/** The interval between checks whether npm is still running. */
const watchMs = 250;

/**
 * Settles when this process should exit: on Ctrl-C, on a signal, or when the
 * npm process that started it exits, because npm does not always forward
 * signals. Returns the signal, or null if there was none.
 */
function waitForEnd(): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => {
    // Do not use `once`, because npm and the terminal may both send the signal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => resolve(signal));
    }
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve(null);
    }, watchMs);
    timer.unref();
  });
}

main().then(
  // Exit even if some resource is still open.
  () => process.exit(),
  (error: unknown) => {
    const reason = reasonOf(error);
    console.error(toPrintable(`the platform did not start: ${reason}`));
    process.exit(1);
  },
);
