import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

import { pino } from "pino";
import { isRpcError } from "@ridlkit/runtime/errors";

import { describe } from "./announce/describe.js";
import { writeReadyFile } from "./announce/ready-file.js";
import { waitForEnd } from "./process/wait-for-end.js";
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

/** Describes an error in one line. */
function reasonOf(error: unknown): string {
  if (isRpcError(error)) return String(error.cause);
  return error instanceof Error ? error.message : String(error);
}

main().then(
  // Exit even if some resource is still open.
  () => process.exit(),
  (error: unknown) => {
    console.error(`the platform did not start: ${reasonOf(error)}`);
    process.exit(1);
  },
);
