import { createServer } from "node:http";
import express from "express";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createStockWebhookSender } from "../../golden/fixtures/platform/expected/stock/client.js";
import {
  createAuditWebhookReceiver,
  createStockWebhookReceiver,
  type StockWebhookReceiverOptions,
} from "../../golden/fixtures/platform/expected/stock/server.js";
import type { ClientInterceptor } from "../../../runtime/typescript/client/client.js";
import { toExpressHandler } from "../../../runtime/typescript/hosts/express.js";
import { signWebhooks } from "../../../runtime/typescript/client/sign-webhooks.js";
import {
  importSecret,
  isSigned,
} from "../../../runtime/typescript/wire/webhook-signature.js";
import { listenForTest } from "../../support/listen-for-test.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** Creates a receiver, and a list of the requests that it has received. */
function receiving(options: Partial<StockWebhookReceiverOptions> = {}) {
  const got: unknown[] = [];
  const receiver = createStockWebhookReceiver({
    handlers: {
      stockWebhook: {
        shelfEmpty: ({ shelf }) => void got.push({ empty: shelf }),
        shelfFull: ({ shelf }) => void got.push({ full: shelf }),
      },
    },
    ...options,
  });
  const requests: { headers: Headers; body: string }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const body = await request.clone().text();
    requests.push({ headers: request.headers, body });
    return receiver.fetch(request);
  };
  return { got, receiver, requests, fetch };
}

const url = "https://shop.example.com/hooks/";

describe("events of one service", () => {
  const post = (body: string, event?: string) =>
    new Request(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        ...(event && { "webhook-event": event }),
      },
    });

  it("reach their handlers at any path", async () => {
    const { got, fetch, requests } = receiving();
    const sender = createStockWebhookSender({ fetch });
    await sender.shelfFull(url, { shelf: "a" });
    await sender.shelfEmpty(url, { shelf: "b", at: "2026-01-01T00:00:00Z" });
    expect(got).toEqual([{ full: "a" }, { empty: "b" }]);
    expect(requests[0]?.headers.get("webhook-event")).toBe("ShelfFull");
  });

  it("must be named unless there is only one", async () => {
    const { receiver, got } = receiving();
    for (const event of [undefined, "Nothing", "constructor"]) {
      const answer = await receiver.fetch(post('{"shelf":"a"}', event));
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: "WebrpcBadRoute" });
    }
    expect(got).toEqual([]);
    const full: string[] = [];
    const alone = createStockWebhookReceiver(
      {
        handlers: {
          stockWebhook: {
            shelfEmpty: () => expect.unreachable("not asked for"),
            shelfFull: ({ shelf }) => void full.push(shelf),
          },
        },
      },
      "shelfFull",
    );
    for (const event of [undefined, "Nothing", "ShelfEmpty"]) {
      const answer = await alone.fetch(post('{"shelf":"a"}', event));
      expect(answer.status).toBe(200);
    }
    expect(full).toEqual(["a", "a", "a"]);
  });

  it("are not mistaken for the only one of a receiver", async () => {
    const got: unknown[] = [];
    const receiver = createAuditWebhookReceiver({
      handlers: {
        auditWebhook: { happened: ({ what }) => void got.push(what) },
      },
    });
    const statuses = [];
    for (const event of [undefined, "Happened", "ShelfFull"]) {
      const answer = await receiver.fetch(
        post('{"what":"sale","amount":"1"}', event),
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 404]);
    expect(got).toEqual(["sale", "sale"]);
  });

  it("can each have their own settings", async () => {
    const { fetch } = receiving({
      methods: { "StockWebhook/ShelfFull": { maxBodyBytes: 5 } },
    });
    const sender = createStockWebhookSender({ fetch });
    const full = await sender.shelfFull.result(url, { shelf: "a" });
    expect(full).toMatchObject({ ok: false, error: { status: 413 } });
    const at = "2026-01-01T00:00:00Z";
    await sender.shelfEmpty(url, { shelf: "b", at });
  });
});

describe("the options of a receiver", () => {
  const post = (event: string) =>
    new Request(url, {
      method: "POST",
      body: '{"shelf":"a","at":"2026-01-01T00:00:00Z"}',
      headers: { "content-type": "application/json", "webhook-event": event },
    });

  it("limit all events together", async () => {
    let finish = (): void => {};
    const isFinished = new Promise<void>((resolve) => (finish = resolve));
    const shelfFull = () => isFinished;
    const { receiver } = receiving({
      handlers: { stockWebhook: { shelfEmpty: () => {}, shelfFull } },
      maxConcurrent: 1,
    });
    const first = receiver.fetch(post("ShelfFull"));
    const second = await receiver.fetch(post("ShelfEmpty"));
    expect(second.status).toBe(503);
    finish();
    expect((await first).status).toBe(200);
  });

  it.each<[string, Partial<StockWebhookReceiverOptions>]>([
    ["cors", { cors: { origins: ["https://a.test"] } }],
    ["cacheControl", { cacheControl: "no-store" }],
    ["readsByGet", { readsByGet: true }],
    [
      'methods["StockWebhook/ShelfFull"].cacheControl',
      { methods: { "StockWebhook/ShelfFull": { cacheControl: "no-store" } } },
    ],
    [
      "StockWebhook/ShelfFul",
      { methods: Object.fromEntries([["StockWebhook/ShelfFul", {}]]) },
    ],
    ["toleranceMs", { toleranceMs: Number("five minutes") }],
  ])("are rejected if they have no effect: %s", (name, options) => {
    expect(() => receiving(options)).toThrow(name);
    const handlers = {
      stockWebhook: { shelfEmpty: () => {}, shelfFull: () => {} },
    };
    const all = { handlers, ...options };
    expect(() => createStockWebhookReceiver(all, "shelfFull")).toThrow(name);
  });

  it("can also name the other events of the service", () => {
    const handlers = {
      stockWebhook: { shelfEmpty: () => {}, shelfFull: () => {} },
    };
    const methods = { "StockWebhook/ShelfEmpty": { maxBodyBytes: 5 } };
    const options = { handlers, methods };
    expect(createStockWebhookReceiver(options, "shelfFull")).toBeDefined();
  });

  it.each([[undefined], [[secret]]])(
    "observe unknown events, with secrets %j",
    async (secrets) => {
      const seen: unknown[] = [];
      const { receiver } = receiving({
        ...(secrets && { secrets }),
        observe: (_, facts) => (outcome) => {
          seen.push([facts, outcome.status, outcome.error]);
        },
      });
      await receiver.fetch(post("Nothing"));
      expect(seen).toEqual([[null, 404, "WebrpcBadRoute"]]);
    },
  );
});

describe("signatures", () => {
  it("are accepted by the `standardwebhooks` package", async () => {
    const { fetch, requests } = receiving();
    const use = [signWebhooks(secret)];
    const sender = createStockWebhookSender({ fetch, use });
    await sender.shelfFull(url, { shelf: "é" });
    const [{ headers, body } = { headers: new Headers(), body: "" }] = requests;
    const all = Object.fromEntries(headers);
    expect(new Webhook(secret).verify(body, all)).toEqual({ shelf: "é" });
    expect(() => new Webhook(other).verify(body, all)).toThrow();
    expect(all["webhook-id"]).toMatch(/^msg_[0-9a-f]{32}$/u);
  });

  /** Creates a request that the `standardwebhooks` package signs. */
  function foreign(
    by: string,
    at: Date,
    body: string,
    change: Record<string, string> = {},
  ): Request {
    return new Request(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "webhook-event": "ShelfFull",
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": new Webhook(by).sign("msg_1", at, body),
        ...change,
      },
    });
  }

  it("are accepted if the `standardwebhooks` package created them with any of the secrets", async () => {
    const { receiver, got } = receiving({ secrets: [other, secret] });
    for (const by of [secret, other]) {
      const request = foreign(by, new Date(), '{"shelf":"ü"}');
      expect((await receiver.fetch(request)).status).toBe(200);
    }
    expect(got).toEqual([{ full: "ü" }, { full: "ü" }]);
  });

  it.each([
    ["accepted after", express.text({ type: "*/*" }), 200],
    ["reported as unreadable after", express.json(), 500],
  ] as const)("are %s a parser of Express", async (_, parser, status) => {
    const { receiver } = receiving({ secrets: [secret], onError: () => {} });
    const app = express();
    app.use(parser, toExpressHandler(receiver));
    const { url } = await listenForTest(createServer(app));
    const request = foreign(secret, new Date(), '{"shelf": "a"}');
    const body = await request.text();
    const { headers, method } = request;
    const answer = await fetch(url, { method, body, headers });
    expect(answer.status).toBe(status);
  });

  const minutes = (count: number): Date => new Date(Date.now() + count * 60e3);

  const body = '{"shelf":"a"}';
  const late = `${"v1,x ".repeat(10)}${new Webhook(secret).sign("msg_1", new Date(), body)}`;
  const missing = "is missing";
  const wrong = "does not match";
  const changes = [
    ["without an ID", { "webhook-id": "" }, missing],
    ["for another ID", { "webhook-id": "msg_2" }, wrong],
    ["without a time", { "webhook-timestamp": "" }, missing],
    [
      "with an invalid time",
      { "webhook-timestamp": "NaN" },
      "has no valid timestamp",
    ],
    ["missing", { "webhook-signature": "" }, missing],
    [
      "with another version",
      { "webhook-signature": `v1a,${"A".repeat(43)}=` },
      wrong,
    ],
    ["of zeros", { "webhook-signature": `v1,${"A".repeat(43)}=` }, wrong],
    ["that is not base64", { "webhook-signature": "v1,%%" }, wrong],
    ["after ten others", { "webhook-signature": late }, wrong],
  ] as const;
  const far = "has a timestamp that is too old or too new";
  const refused: readonly (readonly [string, Request, string])[] = [
    ["made with another secret", foreign(other, new Date(), body), wrong],
    ["too old", foreign(secret, minutes(-6), body), far],
    ["from the future", foreign(secret, minutes(6), body), far],
    ...changes.map(
      ([title, change, fault]) =>
        [title, foreign(secret, new Date(), body, change), fault] as const,
    ),
  ];

  it.each(refused)("are rejected: %s", async (_, request, fault) => {
    const { receiver, got } = receiving({ secrets: [secret] });
    const answer = await receiver.fetch(request);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      error: "WebrpcBadRequest",
      status: 401,
      cause: `the signature ${fault}`,
    });
    expect(got).toEqual([]);
  });

  it("cover the body", async () => {
    const { receiver, got } = receiving({ secrets: [secret] });
    const signed = foreign(secret, new Date(), '{"shelf":"a"}');
    const forged = new Request(signed, { body: '{"shelf":"b"}' });
    const answer = await receiver.fetch(forged);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("StandardWebhooks");
    expect(got).toEqual([]);
  });

  it("cover the raw body, including a byte order mark", async () => {
    const { receiver, got } = receiving({ secrets: [secret] });
    const signed = foreign(secret, new Date(), '\ufeff{"shelf":"a"}');
    expect((await receiver.fetch(signed)).status).toBe(200);
    expect(got).toEqual([{ full: "a" }]);
  });

  it("are accepted if the header also contains others, as during a secret rotation", async () => {
    const { receiver, fetch, got } = receiving({ secrets: [secret] });
    const use = [signWebhooks([other, secret])];
    const sender = createStockWebhookSender({ fetch, use });
    await sender.shelfFull(url, { shelf: "a" });
    expect(got).toEqual([{ full: "a" }]);
    expect(receiver.matches("/anything")).toBe(true);
  });

  it("have the same ID for every attempt, and can have a custom ID", async () => {
    const { fetch, requests } = receiving({ secrets: [secret] });
    const twice: ClientInterceptor = (next) => async (call) => {
      await next(call);
      return next(call);
    };
    for (const use of [
      [signWebhooks(secret), twice],
      [twice, signWebhooks(secret)],
    ]) {
      const sender = createStockWebhookSender({ fetch, use });
      await sender.shelfFull(url, { shelf: "a" });
    }
    expect(requests).toHaveLength(4);
    const ids = requests.map(({ headers }) => headers.get("webhook-id"));
    expect(new Set(ids).size).toBe(2);
    const own = createStockWebhookSender({
      fetch,
      use: [signWebhooks(secret, { id: ({ method }) => method.event ?? "" })],
    });
    await own.shelfFull(url, { shelf: "a" });
    expect(requests.at(-1)?.headers.get("webhook-id")).toBe("ShelfFull");
  });

  it("have different IDs for two messages, even in the same context", async () => {
    const { fetch, requests } = receiving();
    const use = [signWebhooks(secret)];
    const sender = createStockWebhookSender({ fetch, use });
    const context = {};
    await sender.shelfFull(url, { shelf: "a" }, { context });
    await sender.shelfFull(url, { shelf: "b" }, { context });
    const ids = requests.map(({ headers }) => headers.get("webhook-id"));
    expect(new Set(ids).size).toBe(2);
  });

  it("are not sent if the call is aborted while they are computed", async () => {
    const { fetch } = receiving();
    const leaving = new AbortController();
    const { signal } = leaving;
    const sent: string[] = [];
    const record = (url: string, init: RequestInit): Promise<Response> => {
      sent.push(url);
      return fetch(url, init);
    };
    let signing: Promise<Response> | null = null;
    const leave: ClientInterceptor = (next) => (call) => {
      const { fetch: sign = record } = call;
      const leaveAndSign: typeof sign = (url, init) => {
        leaving.abort();
        return (signing = sign(url, init));
      };
      return next({ ...call, fetch: leaveAndSign });
    };
    const use = [signWebhooks(secret), leave];
    const sender = createStockWebhookSender({ fetch: record, use });
    const event = { shelf: "a" };
    expect(await sender.shelfFull.result(url, event, { signal })).toMatchObject(
      {
        ok: false,
        error: { reason: "aborted" },
      },
    );
    await expect(signing).rejects.toMatchObject({ reason: "aborted" });
    expect(sent).toEqual([]);
  });

  it("require a secret", () => {
    expect(() => signWebhooks([])).toThrow("there is no secret");
  });

  it("require valid secrets", () => {
    // 23 bytes are one less than Standard Webhooks requires.
    const short = Buffer.alloc(23).toString("base64");
    for (const bad of ["", "whsec_", "no base64!", "abc", "abcd", short]) {
      expect(() => signWebhooks(bad)).toThrow(TypeError);
      expect(() => receiving({ secrets: [bad] })).toThrow(TypeError);
    }
    expect(() => receiving({ secrets: [] })).toThrow(/secret/u);
  });
});

it("no signature is valid without keys", async () => {
  const message = { id: "msg_1", timestamp: 1, body: "{}" };
  for (const signatures of ["", " ", "v1,", "v1,a "]) {
    expect(await isSigned([], message, signatures)).toBe(false);
    const keys = [importSecret(secret)];
    expect(await isSigned(keys, message, signatures)).toBe(false);
  }
});
