import { rmSync } from "node:fs";

import { onTestFinished } from "vitest";

import {
  makeDataFolder,
  type PlatformProcess,
  spawnPlatform,
  waitUntilGone,
} from "../load/spawned-platform.js";

export {
  makeDataFolder,
  type PlatformProcess,
  programsOf,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../load/spawned-platform.js";

/** Creates a data folder that exists for the duration of the test. */
export function createDataFolder(): string {
  const folder = makeDataFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts the compiled platform and waits until it is ready. If it is still
 * running when the test ends, it is killed.
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
