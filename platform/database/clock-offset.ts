import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Database } from "./schema.js";

/**
 * Returns how far the clock of this instance is ahead of the database's, in
 * milliseconds. It is negative if the clock is behind, and 0 if the response time
 * can explain the difference.
 */
export async function readClockOffset(database: Database): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{
    readonly now: Date;
  }>`select clock_timestamp() as now`.execute(database);
  const after = Date.now();
  const now = rows[0]?.now.getTime() ?? after;
  return Math.max(before - now, 0) + Math.min(after - now, 0);
}

/** Creates a metric for the difference between this clock and the database's. */
export function measureClock(registry: Registry, database: Database): void {
  const offset = new Gauge({
    name: "clock_offset_seconds",
    help: "How far the clock of the instance is ahead of the database's.",
    registers: [registry],
    collect: async () => {
      const ms = await readClockOffset(database).catch(() => null);
      if (ms === null) offset.reset();
      else offset.set(ms / 1000);
    },
  });
}
