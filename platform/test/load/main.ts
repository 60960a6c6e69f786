import { rmSync } from "node:fs";
import { cpus } from "node:os";

import { startEmbeddedChain } from "../../chain/embedded.js";
import { measureInstances } from "./instances.js";
import { measureCalls, measureMemory, measureSaturation } from "./measure.js";
import { measureNotifications } from "./notifications.js";
import { makeDataFolder } from "./spawned-platform.js";
import { startTarget, type Target } from "./target.js";

const parts = [
  "calls",
  "saturation",
  "instances",
  "notifications",
  "memory",
] as const;

const usage = `Usage: npm run load -- [${parts.join("] [")}]
By default, all parts run except memory, which sends a million requests.`;

async function measure(wanted: readonly string[]): Promise<void> {
  const folder = makeDataFolder();
  const chain = await startEmbeddedChain({
    ...{ chainId: 31337, folder, saveEveryMs: 60_000 },
    onError: (error) => console.error(error),
  });
  const start = (): Promise<Target> => startTarget(folder, chain.rpcUrl);
  let target: Target | null = null;
  try {
    target = await start();
    console.log(
      `Node ${process.version}, ${cpus().length} cores for the platform, its ` +
        `database, its chain and its callers; ready after ` +
        `${target.startSeconds.toFixed(1)} s\n`,
    );
    if (wanted.includes("calls")) await measureCalls(target);
    if (wanted.includes("saturation")) await measureSaturation(target);
    if (wanted.includes("instances")) {
      await measureInstances(target, chain.rpcUrl);
    }
    if (wanted.includes("notifications")) {
      target = await measureNotifications(target, start);
    }
    if (wanted.includes("memory")) await measureMemory(target, 1e6);
  } finally {
    await target?.stop();
    await chain.stop();
    rmSync(folder, { recursive: true });
  }
}

const args = process.argv.slice(2);
const isUnknown = (name: string): boolean =>
  !parts.some((part) => part === name);

if (args.some(isUnknown)) {
  console.error(usage);
  process.exitCode = 1;
} else {
  const defaultParts = parts.filter((part) => part !== "memory");
  await measure(args.length > 0 ? args : defaultParts);
}
