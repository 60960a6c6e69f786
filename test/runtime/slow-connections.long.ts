import { expect, it, onTestFinished } from "vitest";
import { startTenantServer } from "./tenant-server.js";

it.each([210, 2000])(
  "answers every call of other tenants beside %i slow connections",
  async (count) => {
    const server = await startTenantServer({
      maxConcurrent: 200,
      maxConcurrentPerTenant: 100,
      maxBodiesPerTenant: 500,
      maxQueued: 1000,
    });
    onTestFinished(() => server.close());
    await server.openSlow("slow", count);
    const times: number[] = [];
    for (let done = 0; done < 2000; done += 1) {
      const start = performance.now();
      expect(await server.call("other")).toBe(200);
      times.push(performance.now() - start);
    }
    times.sort((left, right) => left - right);
    // How fast that is depends on what else the machine does.
    console.log(`p99 beside ${count}: ${times[1980]?.toFixed(1)} ms`);
  },
);
