import { rmSync } from "node:fs";

import { onTestFinished } from "vitest";

import {
  makeDataFolder,
  type PlatformProcess,
  spawnPlatform,
  waitUntilGone,
} from "../../load/spawned-platform.js";

export {
  makeDataFolder,
  type PlatformProcess,
  programsOf,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../../load/spawned-platform.js";

/** A folder for data, until the test is over. */
export function createDataFolder(): string {
  const folder = makeDataFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts the platform as compiled, and waits until it is ready. It is killed at
 * the end of the test, if it has not ended before.
 */
export async function startProcess(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<PlatformProcess> {
  const started = spawnPlatform(folder, environment);
  onTestFinished(async () => {
    await started.end("SIGKILL");
    await waitUntilGone(folder);
  });
  return { ...started, ready: await started.ready };
}
