import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryAnswers } from "../../runtime/server/idempotency.js";
import type { Listening } from "../support/listen.js";
import { Instances, repeatedCalls } from "./repeated-calls.js";
import { serveIdempotency } from "./serve-idempotency.js";

let servers: readonly Listening[] = [];
beforeAll(async () => {
  const store = memoryAnswers();
  servers = await Promise.all([
    serveIdempotency(store, "one"),
    serveIdempotency(store, "two"),
  ]);
});
afterAll(() => Promise.all(servers.map(({ close }) => close())));

test.each(Object.entries(repeatedCalls))(
  "instances in TypeScript: %s",
  async (_, check) => {
    const instances = new Instances(...servers.map(({ url }) => url));
    await check(instances);
    expect(instances.count).toBeGreaterThan(1);
  },
);
