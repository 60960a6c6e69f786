import { expect, it, onTestFinished } from "vitest";
import { startTenantServer } from "./tenant-server.js";

it.each([210, 2000])(
  "answers every call from other tenants despite %i slow connections",
  async (count) => {
    const server = await startTenantServer({
      maxConcurrent: 200,
      maxConcurrentPerTenant: 100,
      maxBodiesPerTenant: 500,
      maxQueued: 1000,
    });
    onTestFinished(() => server.close());
    const before = await measureCalls(server);
    await server.openSlow("slow", count);
    const beside = await measureCalls(server);
    // The speed depends on what else the machine is doing.
    console.log(
      `with ${count} slow connections: ${beside}; without: ${before}`,
    );
  },
);

/**
 * Calls a server 2000 times as another tenant. Returns percentiles of the
 * durations.
 */
async function measureCalls({
  call,
}: Awaited<ReturnType<typeof startTenantServer>>): Promise<string> {
  const times: number[] = [];
  for (let done = 0; done < 2000; done += 1) {
    const start = performance.now();
    expect(await call("other")).toBe(200);
    times.push(performance.now() - start);
  }
  times.sort((left, right) => left - right);
  return `p50 ${times[1000]?.toFixed(2)} ms, p99 ${times[1980]?.toFixed(2)} ms`;
}
