import { expect, it, onTestFinished } from "vitest";
import { percentileOfCalls } from "./call-times.js";
import { startTenantServer } from "./tenant-server.js";

it.each([210, 2000])(
  "keeps other tenants as fast as before beside %i slow connections",
  async (count) => {
    const server = await startTenantServer({
      maxConcurrent: 200,
      maxConcurrentPerTenant: 100,
      maxBodiesPerTenant: 500,
      maxQueued: 1000,
    });
    onTestFinished(() => server.close());
    const call = (): Promise<number> => server.call("other");
    await percentileOfCalls(call, 500);
    const before = await percentileOfCalls(call, 2000);
    await server.openSlow("slow", count);
    const during = await percentileOfCalls(call, 2000);
    expect(during).toBeLessThanOrEqual(2 * before);
  },
);
