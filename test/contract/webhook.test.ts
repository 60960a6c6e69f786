import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { createIndexerWebhookSender } from "../../generated/indexer/client.js";
import { QueryFailedError } from "../../generated/index.js";
import { startServer } from "../interop/http.js";
import { startHarness, type Harness } from "./harness.js";
import { samples } from "./samples.js";

const notification = samples["IndexerWebhook.Notify"].request;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

describe("the webhook notification", () => {
  it("reaches the receiver without credentials", async () => {
    const sender = createIndexerWebhookSender({
      headers: { "webhook-id": notification.uid },
    });
    await sender.notify(harness.webhookUrl, notification);
    expect(harness.calls).toEqual([
      {
        operation: "IndexerWebhook.Notify",
        request: notification,
        parameters: {},
      },
    ]);
    const [seen] = harness.seen;
    expect(seen?.method).toBe("POST");
    expect(seen?.headers["content-type"]).toBe("application/json");
    expect(seen?.headers["webhook-id"]).toBe(notification.uid);
    expect(seen?.headers).not.toHaveProperty("x-access-key");
    expect(seen?.headers).not.toHaveProperty("authorization");
    // The body is the notification itself, with its fields in the document's
    // order.
    expect(Object.keys(JSON.parse(seen?.body ?? "") as object)).toEqual([
      "uid",
      "type",
      "blockNumber",
      "blockHash",
      "parentBlockHash",
      "contractAddress",
      "contractType",
      "txnHash",
      "txnIndex",
      "txnLogIndex",
      "ts",
      "event",
      "logDataType",
      "rawLog",
    ]);
  });

  it("may contain unknown types", async () => {
    const sender = createIndexerWebhookSender({});
    const body = {
      ...notification,
      type: "BLOCK_FINALISED",
      contractType: "ERC6909",
      logDataType: "OTHER",
    };
    await sender.notify(harness.webhookUrl, body);
    expect(harness.calls).toMatchObject([{ request: body }]);
  });

  it("returns the receiver's error to the sender", async () => {
    harness.answerWith(() => {
      throw new QueryFailedError({ cause: "no disk" });
    });
    const sender = createIndexerWebhookSender({});
    const sent = sender.notify(harness.webhookUrl, notification);
    await expect(sent).rejects.toBeInstanceOf(QueryFailedError);
    const result = await sender.notify.result(harness.webhookUrl, notification);
    expect(result).toMatchObject({ ok: false, error: { name: "QueryFailed" } });
  });

  it.each([
    [200, "", true],
    [204, "", true],
    [202, "thanks", true],
    [301, "", false],
    [404, "<h1>not here</h1>", false],
    [500, "", false],
  ])(
    "handles a response with the status %i",
    async (status, body, isSuccess) => {
      const { baseUrl, close } = await startServer((_, response) => {
        response.writeHead(status).end(body);
      });
      const sender = createIndexerWebhookSender({});
      const url = `${baseUrl}/any/path?with=query`;
      const result = await sender.notify.result(url, notification);
      expect(result.ok).toBe(isSuccess);
      await close();
    },
  );
});
