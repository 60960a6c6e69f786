import { setTimeout as sleep } from "node:timers/promises";

import { createCalls } from "./calls.js";
import { sendLoad, printStatuses } from "./send-load.js";
import type { Target } from "./target.js";

/** Prints a row of a Markdown table. */
export function printRow(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

/** Prints the head of a Markdown table. */
export function printHead(...names: readonly string[]): void {
  printRow(...names);
  console.log(`|${"---|".repeat(names.length)}`);
}

const connections = 32;

/** Measures the requests per second of each call, and its latency. */
export async function measureCalls(target: Target): Promise<void> {
  printHead(
    `call, ${connections} connections`,
    "requests/s",
    "per CPU second",
    "p50",
    "p99",
    "answers",
  );
  for (const call of Object.values(await createCalls(target.ready))) {
    await sendLoad(call, { connections, seconds: 3 });
    const before = await target.usage();
    const measured = await sendLoad(call, { connections, seconds: 10 });
    const after = await target.usage();
    const perCpuSecond =
      measured.count / (after.cpuSeconds - before.cpuSeconds);
    printRow(
      call.name,
      measured.perSecond.toFixed(0),
      perCpuSecond.toFixed(0),
      `${measured.p50Ms.toFixed(1)} ms`,
      `${measured.p99Ms.toFixed(1)} ms`,
      printStatuses(measured),
    );
  }
}

/**
 * Measures the platform under more load than it can handle, and then under
 * light load again.
 */
export async function measureSaturation(target: Target): Promise<void> {
  const { signature } = await createCalls(target.ready);
  printHead(
    "IsValidSignature, connections",
    "answered/s",
    "refused/s",
    "p99",
    "memory",
    "answers",
  );
  for (const connections of [1, 100, 400, 800, 1600, 1600, 100, 1]) {
    const measured = await sendLoad(signature, { connections, seconds: 8 });
    const { megabytes } = await target.usage();
    const answered = measured.statuses.get(200) ?? 0;
    const refusals =
      measured.mute > 0 ? `, ${measured.mute} without Retry-After` : "";
    printRow(
      connections,
      (answered / measured.seconds).toFixed(0),
      ((measured.count - answered) / measured.seconds).toFixed(0),
      `${measured.p99Ms.toFixed(1)} ms`,
      `${megabytes.toFixed(0)} MB`,
      `${printStatuses(measured)}${refusals}`,
    );
  }
}

/** The share of each kind of call. Most calls are fast. */
const shares = { orders: 1, signature: 2, metadata: 17 } as const;

/** Measures memory while the platform handles many requests. */
export async function measureMemory(
  target: Target,
  requests: number,
): Promise<void> {
  const { metadata, orders, signature } = await createCalls(target.ready);
  const rounds = 10;
  // The shares add up to twenty.
  const part = Math.ceil(requests / rounds / 20);
  printHead("requests", "memory");
  const printMemory = async (count: number): Promise<void> => {
    // Give the process time to release memory.
    await sleep(1000);
    const { megabytes } = await target.usage();
    printRow(count, `${megabytes.toFixed(0)} MB`);
  };
  await printMemory(0);
  for (let round = 1; round <= rounds; round += 1) {
    await sendLoad(orders, { connections, requests: shares.orders * part });
    await sendLoad(signature, {
      connections,
      requests: shares.signature * part,
    });
    await sendLoad(metadata, { connections, requests: shares.metadata * part });
    await printMemory(round * 20 * part);
  }
}
