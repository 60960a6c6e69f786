import { readdirSync, readFileSync } from "node:fs";

import { orNull } from "../../process/failures/or-null.js";

/** CPU seconds by program. */
type Seconds = ReadonlyMap<string, number>;

/** The programs of a cluster, by a part of their command lines. */
const programs = {
  "platform/main.js": "instances",
  "postgres:": "database",
  anvil: "chain",
};

const read = (pid: string, file: string): string =>
  orNull(() => readFileSync(`/proc/${pid}/${file}`, "utf8")) ?? "";

/**
 * Returns the CPU time that the programs of a cluster and this test have used.
 * Programs of others count as well. Without `/proc`, only the test is known.
 */
export function cpuSeconds(): Seconds {
  const { system, user } = process.cpuUsage();
  const used = new Map([["test", (system + user) / 1_000_000]]);
  for (const pid of orNull(() => readdirSync("/proc")) ?? []) {
    if (!/^[0-9]+$/u.test(pid)) continue;
    const command = read(pid, "cmdline");
    const name = Object.entries(programs).find(([part]) =>
      command.includes(part),
    )?.[1];
    if (name === undefined) continue;
    const [, rest = ""] = read(pid, "stat").split(/\) (?=[^)]*$)/u);
    // User and system time, in ticks of 10 ms.
    const [userTicks, systemTicks] = rest.split(" ").slice(11).map(Number);
    const seconds = ((userTicks ?? 0) + (systemTicks ?? 0)) / 100;
    used.set(name, (used.get(name) ?? 0) + seconds);
  }
  return used;
}

/** Describes how much CPU time was used, and by which programs. */
export function shareOf(before: Seconds, after: Seconds): string {
  return [...after]
    .map(([name, seconds]) => {
      const used = seconds - (before.get(name) ?? 0);
      return `${name} ${used.toFixed(1)} s`;
    })
    .join(", ");
}
