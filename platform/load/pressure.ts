import { performance } from "node:perf_hooks";

import { Pool } from "undici";

/** A request that is sent over and over. */
export interface LoadCall {
  readonly name: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
}

/** How it is sent. */
export interface Pressure {
  /** So many at a time, each on a connection of its own. */
  readonly connections: number;
  /** Ends when it is out of time, */
  readonly seconds?: number;
  /** or of requests. */
  readonly requests?: number;
}

/** What came of it. */
export interface Measured {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How often each status was answered; 0: no answer at all. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Refusals (429, 503) that do not say when to come back. */
  readonly mute: number;
}

/** The last so many are enough to tell how long answers take. */
const maxSamples = 200_000;

/** Sends a request over and over, and measures the answers. */
export async function press(
  call: LoadCall,
  { connections, requests = Infinity, seconds = Infinity }: Pressure,
): Promise<Measured> {
  const pool = new Pool(call.baseUrl, { connections, pipelining: 1 });
  const body = JSON.stringify(call.message);
  const headers = { "content-type": "application/json", ...call.headers };
  const statuses = new Map<number, number>();
  const samples = new Float64Array(maxSamples);
  let count = 0;
  let mute = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const send = async (): Promise<number> => {
    const options = { path: call.path, method: "POST", headers, body } as const;
    const answer = await pool.request(options);
    await answer.body.dump();
    const { statusCode } = answer;
    const isRefused = statusCode === 429 || statusCode === 503;
    if (isRefused && answer.headers["retry-after"] === undefined) mute += 1;
    return statusCode;
  };
  const repeat = async (): Promise<void> => {
    while (count < requests) {
      const sent = performance.now();
      if (sent > end) return;
      const place = count % maxSamples;
      count += 1;
      const status = await send().catch(() => 0);
      samples[place] = performance.now() - sent;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  const took = (performance.now() - start) / 1000;
  await pool.close();
  const sorted = samples.subarray(0, Math.min(count, maxSamples)).sort();
  const quantile = (part: number): number =>
    sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return {
    ...{ count, seconds: took, perSecond: count / took, statuses, mute },
    ...{ p50Ms: quantile(0.5), p99Ms: quantile(0.99) },
  };
}

/** E.g. `200 ×1000, 503 ×20`. */
export function printStatuses({ statuses }: Measured): string {
  return [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status || "no answer"} ×${count}`)
    .join(", ");
}
