import { expect, test } from "vitest";

import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

test("tells a caller with a key when to retry after too many calls", async () => {
  const rateLimit = { requestsPerSecond: 0.01, burst: 3 };
  const { call, metrics, store } = servePlatform(database, { rateLimit });
  const eager = await createTestProject(store);
  const calm = await createTestProject(store);
  const list = ({ id, ...keys }: typeof eager) =>
    call("/rpc/Builder/ListAudiences", headersOf(keys), { projectId: id });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => list(eager)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get("retry-after")).toBe("100");
  expect(refused?.body).toMatchObject({
    error: "WebrpcRequestFailed",
    status: 429,
  });
  // Other keys are not affected.
  expect((await list(calm)).status).toBe(200);
  expect(await metrics.registry.metrics()).toMatch(
    /rpc_requests_total\{.*"ListAudiences",status="429".*\} 2\n/u,
  );
});

test("counts requests for unknown methods in the metrics", async () => {
  const { call, metrics } = servePlatform(database);
  expect((await call("/rpc/Builder/Nothing", {}, {})).status).toBe(404);
  expect(await metrics.registry.metrics()).toMatch(
    /rpc_requests_total\{.*status="404",error="WebrpcBadRoute",network=""\} 1\n/u,
  );
});
