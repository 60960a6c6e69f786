import { rmSync } from "node:fs";

import { findRunningDatabase } from "../../database/embedded.js";
import { createCalls } from "./calls.js";
import { printHead, printRow } from "./measure.js";
import { sendLoad } from "./send-load.js";
import { makeDataFolder } from "./spawned-platform.js";
import { startTarget, type Target } from "./target.js";

const pairs = 9;
const connections = 48;
/**
 * The number of requests that warm up each process before the measurement. The
 * first requests to a process are slow, because Node compiles its code.
 */
const warmUp = 5000;
const secret = "a secret that three instances share";

/** The measured calls. They do not use the chain, which all instances share. */
type CallName = "orders" | "metadata";

interface Rates {
  readonly perSecond: number;
  /** Requests per second of the instances' CPU time. */
  readonly perCpu: number;
}

interface Round {
  readonly one: Rates;
  readonly three: Rates;
}

/**
 * Compares three instances on one database with a single instance, on the same
 * cores. The two setups take turns because the speed of a shared machine
 * varies.
 */
export async function measureInstances(
  single: Target,
  chainUrl: string,
): Promise<void> {
  const folders = Array.from({ length: 3 }, makeDataFolder);
  const three: Target[] = [];
  try {
    for (const folder of folders) {
      three.push(await startTarget(folder, chainUrl, await sharedBy(folders)));
    }
    printHead(
      `call, ${connections} connections`,
      "requests/s with one, with three",
      `median ratio of ${pairs} pairs`,
      "the same per CPU second across the instances",
    );
    for (const name of ["orders", "metadata"] as const) {
      for (const { ready } of [single, ...three]) {
        const call = (await createCalls(ready))[name];
        await sendLoad(call, { connections, requests: warmUp });
      }
      const rounds: Round[] = [];
      for (let index = 0; index < pairs; index += 1) {
        const one = await loadAll([single], name);
        rounds.push({ one, three: await loadAll(three, name) });
      }
      const median = (read: (round: Round) => number): number =>
        rounds.map(read).sort((one, other) => one - other)[(pairs - 1) / 2] ??
        0;
      const ones = median(({ one }) => one.perSecond).toFixed(0);
      const threes = median(({ three }) => three.perSecond).toFixed(0);
      printRow(
        name,
        `${ones}, ${threes}`,
        median(({ one, three }) => three.perSecond / one.perSecond).toFixed(2),
        median((round) => round.three.perCpu / round.one.perCpu).toFixed(2),
      );
    }
  } finally {
    // The first instance runs the database that the others use.
    for (const target of three.reverse()) await target.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the settings that instances share. They contain the URL of the
 * database once the first instance runs.
 */
async function sharedBy([first = ""]: readonly string[]): Promise<
  Readonly<Record<string, string>>
> {
  const url = await findRunningDatabase(first);
  return {
    PLATFORM_SECRET: secret,
    ...(url !== null && { DATABASE_URL: url }),
  };
}

/** Loads all instances at the same time and returns the sum of their rates. */
async function loadAll(
  targets: readonly Target[],
  name: CallName,
): Promise<Rates> {
  const cpuOfAll = async (): Promise<number> => {
    const usages = await Promise.all(targets.map(({ usage }) => usage()));
    return sum(usages.map(({ cpuSeconds }) => cpuSeconds));
  };
  const before = await cpuOfAll();
  const share = { connections: connections / targets.length, seconds: 3 };
  const runs = await Promise.all(
    targets.map(async ({ ready }) =>
      sendLoad((await createCalls(ready))[name], share),
    ),
  );
  const cpuSeconds = (await cpuOfAll()) - before;
  const answered = sum(runs.map(({ statuses }) => statuses.get(200) ?? 0));
  const seconds = Math.max(...runs.map((run) => run.seconds));
  return { perSecond: answered / seconds, perCpu: answered / cpuSeconds };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
