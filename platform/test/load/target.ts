import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "./spawned-platform.js";

/** The platform under load. */
export interface Target {
  readonly ready: Ready;
  readonly startSeconds: number;
  /** Returns its current resource usage. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** The resource usage of a process. */
export interface Usage {
  readonly megabytes: number;
  /** CPU time since the start. */
  readonly cpuSeconds: number;
}

/**
 * Starts a platform that does not limit the rate of the load test's keys.
 *
 * Input: its folder, the URL of its chain, and additional environment
 * variables.
 */
export async function startTarget(
  folder: string,
  chainUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const start = performance.now();
  const process = spawnPlatform(folder, {
    CHAIN_URL: chainUrl,
    CONFIG: writeConfig(folder),
    LOG_LEVEL: "error",
    ALLOW_PRIVATE_TARGETS: "true",
    ...environment,
  });
  const ready = await process.ready;
  return {
    ready,
    startSeconds: (performance.now() - start) / 1000,
    usage: () => readUsage(ready.metricsUrl),
    stop: async () => {
      await process.end("SIGTERM");
      await waitUntilGone(folder);
    },
  };
}

function writeConfig(folder: string): string {
  const path = join(folder, "config.yaml");
  const text = readFileSync("platform/config.yaml", "utf8")
    .replace(/requestsPerSecond: \d+/u, "requestsPerSecond: 1000000000")
    .replace(/burst: \d+/u, "burst: 1000000000");
  writeFileSync(path, text);
  return path;
}

async function readUsage(metricsUrl: string): Promise<Usage> {
  const response = await fetch(metricsUrl);
  const text = await response.text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, "mu").exec(text)?.[1]);
  return {
    megabytes: read("process_resident_memory_bytes") / 2 ** 20,
    cpuSeconds: read("process_cpu_seconds_total"),
  };
}
