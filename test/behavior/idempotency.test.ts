import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryAnswers } from "../../runtime/typescript/server/idempotency.js";
import type { Listening } from "../support/listen.js";
import { Instances, repeatedCalls, upgradedCalls } from "./repeated-calls.js";
import { serveIdempotency } from "./serve-idempotency.js";
import { formerAnswers } from "./start-database.js";

let servers: readonly Listening[] = [];
beforeAll(async () => {
  const store = memoryAnswers();
  for (const { answer: text, id } of formerAnswers) {
    const answer = { text, isError: false };
    const call = {
      id,
      keepMs: 3_600_000,
      timeoutMs: 1000,
      context: Object.create(null),
    };
    await store.once(call, () => Promise.resolve(answer));
  }
  servers = await Promise.all([
    serveIdempotency(store, "one"),
    serveIdempotency(store, "two"),
  ]);
});
afterAll(() => Promise.all(servers.map(({ close }) => close())));

test.each(Object.entries({ ...repeatedCalls, ...upgradedCalls }))(
  "instances in TypeScript: %s",
  async (_, check) => {
    const instances = new Instances(...servers.map(({ url }) => url));
    await check(instances);
    expect(instances.count).toBeGreaterThan(1);
  },
);
