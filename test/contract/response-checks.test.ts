import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiResponseChecks } from "../../generated/api/validators.js";
import { indexerResponseChecks } from "../../generated/indexer/validators.js";
import { marketplaceResponseChecks } from "../../generated/marketplace/validators.js";
import { metadataResponseChecks } from "../../generated/metadata/validators.js";
import { relayerResponseChecks } from "../../generated/relayer/validators.js";
import type { ClientInterceptor } from "../../runtime/typescript/client/client.js";
import { checkResponses } from "../../runtime/typescript/client/interceptors.js";
import { callSample, createCallers } from "./callers.js";
import { startHarness, type Harness } from "./harness.js";
import { operations, samples } from "./samples.js";
import { rowOf } from "./wire.js";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const checks = {
  ...apiResponseChecks,
  ...indexerResponseChecks,
  ...marketplaceResponseChecks,
  ...metadataResponseChecks,
  ...relayerResponseChecks,
};

const inbound = operations.filter((each) => rowOf(each).route !== null);

/** Replaces every response of the server. */
const corrupt: ClientInterceptor = (next) => (call) => {
  const isRead = call.method.path.startsWith("/tokens/");
  const text = isRead ? "17" : "{}";
  return next({ ...call, fetch: () => Promise.resolve(new Response(text)) });
};

describe("response checks", () => {
  it("exist for every operation", () => {
    expect(Object.keys(checks)).toHaveLength(inbound.length);
  });

  it.each(inbound)("accept a valid response of %s", async (operation) => {
    const callers = createCallers(harness, [checkResponses(checks, "throw")]);
    expect(await callSample(callers, operation)).toEqual(
      samples[operation].response,
    );
  });

  it.each(inbound)("report a fault in a response of %s", async (operation) => {
    const use = [checkResponses(checks, "throw"), corrupt];
    const call = callSample(createCallers(harness, use), operation);
    await expect(call).rejects.toMatchObject({
      reason: "bad-response",
      cause: expect.stringMatching(/: expected .*, got (nothing|17)$/u),
    });
  });

  it("find an integer beyond its limit even if it was rounded", async () => {
    const text = '{"status":true,"taskId":9007199254740993}';
    const answer: ClientInterceptor = (next) => (call) =>
      next({ ...call, fetch: () => Promise.resolve(new Response(text)) });
    const use = [checkResponses(checks, "throw"), answer];
    const call = callSample(
      createCallers(harness, use),
      "Metadata.EnqueueTokensForRefresh",
    );
    await expect(call).rejects.toMatchObject({
      reason: "bad-response",
      cause: expect.stringContaining("taskId: expected an unsigned integer"),
    });
  });
});
