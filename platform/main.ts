import { rmSync } from "node:fs";
import { parseArgs } from "node:util";

import { pino } from "pino";

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
  // What an earlier run wrote must not be taken for ours.
  if (readyFile !== undefined) rmSync(readyFile, { force: true });
  const end = waitForEnd();
  const settings = readSettings(process.env);
  // Standard output is for people.
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  const running = await startPlatform(settings, log);
  process.stdout.write(describe(running));
  if (readyFile !== undefined) await writeReadyFile(readyFile, running);
  await end;
  await running.close();
}

main().then(
  // Whatever may still be open: the end is the end.
  () => process.exit(),
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`the platform does not start: ${reason}`);
    process.exit(1);
  },
);
