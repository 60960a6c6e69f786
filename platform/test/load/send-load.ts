import { performance } from "node:perf_hooks";

import { Pool } from "undici";

/** A request that is sent repeatedly. */
export interface LoadCall {
  readonly name: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
}

/**
 * Options for sending requests. The run ends when either `seconds` or
 * `requests` is reached.
 */
export interface LoadOptions {
  /** The number of concurrent connections. */
  readonly connections: number;
  /** The maximum duration. */
  readonly seconds?: number;
  /** The maximum number of requests. */
  readonly requests?: number;
}

/** The results of a run. */
export interface Measured {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The number of responses by status. 0 means that there was no response. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Rejections (429, 503) without a `Retry-After` header. */
  readonly mute: number;
}

/** The maximum number of latency samples. Later samples replace the oldest. */
const maxSamples = 200_000;

/** Sends a request repeatedly and measures the responses. */
export async function sendLoad(
  call: LoadCall,
  { connections, requests = Infinity, seconds = Infinity }: LoadOptions,
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

/** Formats statuses, e.g. `200 ×1000, 503 ×20`. */
export function printStatuses({ statuses }: Measured): string {
  return [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status || "no response"} ×${count}`)
    .join(", ");
}
