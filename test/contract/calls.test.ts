import { stringifyJson } from "@ridlkit/runtime/json";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { callSample, createCallers, type Callers } from "./callers.js";
import { accessKey, secret, startHarness, type Harness } from "./harness.js";
import { methods } from "./interface-methods.js";
import { operations, samples } from "./samples.js";
import { keysOf, placeOf, rowOf, sendBody, sendRaw } from "./wire.js";

let harness: Harness;
let callers: Callers;
beforeAll(async () => {
  harness = await startHarness();
  callers = createCallers(harness);
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

/** Headers that `fetch` adds to a request automatically. */
const headersOfFetch = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "host",
  "sec-fetch-mode",
  "user-agent",
]);

describe("every operation", () => {
  it("has a sample", () => {
    expect([...operations].sort()).toEqual(
      methods.map(({ service, method }) => `${service}.${method}`).sort(),
    );
  });

  it.each(operations)(
    "%s reaches its handler and returns the handler's response",
    async (operation) => {
      const { request, response } = samples[operation];
      const answer = await callSample(callers, operation);
      const isOutbound = rowOf(operation).route === null;
      expect(answer).toEqual(isOutbound ? undefined : response);
      const isMarketplace = operation.startsWith("Marketplace.");
      expect(harness.calls).toEqual([
        {
          operation,
          request,
          parameters: isMarketplace
            ? { network: "polygon" }
            : operation.startsWith("Tokens.")
              ? expect.any(Object)
              : {},
        },
      ]);
      expect(harness.failures).toEqual([]);
    },
  );

  it.each(operations)("%s is sent as documented", async (operation) => {
    await callSample(callers, operation);
    const [seen] = harness.seen;
    expect([seen?.method, decodeURIComponent(seen?.path ?? "")]).toEqual(
      placeOf(operation),
    );
    const isRead = seen?.method === "GET";
    expect(seen?.body).toBe(
      isRead ? "" : stringifyJson(samples[operation].request),
    );
    const sent = Object.entries(seen?.headers ?? {}).filter(
      // Methods accept an idempotency key and never require one.
      ([name]) => !headersOfFetch.has(name) && name !== "idempotency-key",
    );
    expect(Object.fromEntries(sent)).toEqual({
      ...(isRead ? {} : { "content-type": "application/json" }),
      ...(keysOf(operation)["X-Access-Key"] && { "x-access-key": accessKey }),
      ...(keysOf(operation)["Authorization"] && {
        authorization: `Bearer ${secret}`,
      }),
    });
  });

  it.each(operations)(
    "%s returns exactly the expected bytes",
    async (operation) => {
      const { request, response } = samples[operation];
      const [verb] = placeOf(operation);
      const answer =
        verb === "GET"
          ? await sendRaw(harness, placeOf(operation), {}, null)
          : await sendBody(harness, operation, request);
      // A REST read returns its only output directly. All other operations return
      // objects.
      const body = verb === "GET" ? Object.values(response)[0] : response;
      expect(answer.text).toBe(stringifyJson(body));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(
        /^application\/json\b/,
      );
    },
  );
});

describe("requests from callers of the platform", () => {
  it("may contain undeclared fields", async () => {
    const body = { projectId: 42, chainId: 137, webhookUrl: "x", refresh: [] };
    const answer = await sendBody(harness, "Builder.ListAudiences", body);
    expect(answer.status).toBe(200);
    expect(harness.calls).toHaveLength(1);
  });

  it("may contain null for optional fields", async () => {
    const body = {
      ...samples["API.GetSwapPrice"].request,
      slippagePercentage: null,
    };
    const answer = await sendBody(harness, "API.GetSwapPrice", body);
    expect(answer.status).toBe(200);
    expect(harness.calls[0]?.request).not.toHaveProperty("slippagePercentage");
  });

  it("may contain addresses in mixed case", async () => {
    const address = `0x${"aB".repeat(20)}`;
    for (const projectId of [0, Number.MAX_SAFE_INTEGER]) {
      const body = { projectId, address };
      const answer = await sendBody(harness, "Relayer.AddGasSponsor", body);
      expect(answer.status).toBe(200);
    }
    expect(harness.calls).toHaveLength(2);
  });

  it.each(["Bearer", "BEARER", "bearer"])(
    "may use the scheme name %s for the secret",
    async (scheme) => {
      const answer = await sendRaw(
        harness,
        placeOf("Indexer.RemoveWebhookListener"),
        {
          "Content-Type": "application/json; charset=utf-8",
          "X-Access-Key": accessKey,
          Authorization: `${scheme} ${secret}`,
          Webrpc: "webrpc@v0.44.0;gen-golang@v0.35.0;test@v1",
        },
        `{"id":7,"projectId":42}`,
      );
      expect(answer.text).toBe(`{"status":true}`);
      expect(harness.calls[0]?.request).toEqual({ id: "7", projectId: "42" });
    },
  );

  it("may contain token IDs as integers of any size", async () => {
    const { filters, url } = samples["Indexer.AddWebhookListener"].request;
    const large = 2n ** 256n - 1n;
    const body = { url, filters: { ...filters, tokenIDs: [7, large, "8"] } };
    await sendBody(harness, "Indexer.AddWebhookListener", body);
    expect(harness.calls[0]?.request).toMatchObject({
      filters: { tokenIDs: ["7", String(large), "8"] },
    });
  });

  it("may contain an access key even for REST reads, which ignore it", async () => {
    const headers = { "X-Access-Key": "unknown" };
    const place = placeOf("Tokens.ReadTokenMetadata");
    const answer = await sendRaw(harness, place, headers, null);
    expect(answer.status).toBe(200);
  });
});

describe("handlers' responses", () => {
  it.each<[string, unknown]>([
    ["a missing field", { options: { swap: [], nftCheckout: [] } }],
    ["a value of the wrong type", { options: "none" }],
    ["nothing", undefined],
  ])("are rejected: %s", async (_, response) => {
    harness.answerWith(() => response);
    const operation = "Marketplace.CheckoutOptionsSalesContract";
    const answer = await sendBody(
      harness,
      operation,
      samples[operation].request,
    );
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text)).toEqual({
      error: "WebrpcBadResponse",
      code: -5,
      msg: "bad response",
      status: 500,
    });
    expect(harness.failures).toHaveLength(1);
  });

  it("are sent without undeclared fields", async () => {
    const operation = "Builder.ListAudiences";
    const { request, response } = samples[operation];
    const [audience] = response.audiences;
    harness.answerWith(() => ({
      audiences: [{ ...audience, contactEmails: ["somebody@example.com"] }],
      rows: 1,
    }));
    const answer = await sendBody(harness, operation, request);
    expect(JSON.parse(answer.text)).toEqual({ audiences: [audience] });
  });

  it("may contain null instead of an order", async () => {
    harness.answerWith(() => ({ order: null }));
    const operation = "Marketplace.GetHighestPriceOfferForCollectible";
    expect(await callSample(callers, operation)).toEqual({ order: null });
  });
});
