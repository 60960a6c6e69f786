import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  createShopClient,
  SoldOutError,
} from "../../golden/fixtures/idempotency-keys/expected/index.js";
import {
  createShopServer,
  type ShopHandler,
} from "../../golden/fixtures/idempotency-keys/expected/server.js";
import { createRelayerServer } from "../../../generated/relayer/server.js";
import type {
  CallOptions,
  Fetch,
} from "../../../runtime/typescript/client/client.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import {
  encryptAnswers,
  idempotency,
  memoryAnswers,
  type AnswerStore,
  type IdempotencyOptions,
} from "../../../runtime/typescript/server/idempotency.js";
import {
  createKey,
  type Outcome,
  type RequestFacts,
  type ServerMethod,
  type ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import { keyOfValue } from "../../../runtime/typescript/values/unique.js";
import { plainRow } from "./sample-server.js";

const body = { sku: "A", count: 1 };

/** A server that counts how often its handler runs. */
function openShop(
  order: (run: number) => unknown = (run) => ({ orderId: `order ${run}` }),
  store: AnswerStore = memoryAnswers(),
  limits: IdempotencyOptions = {},
  options: ServerOptions = {},
) {
  const seen = { runs: 0, failures: [] as unknown[] };
  const shop: ShopHandler = {
    order: async () => {
      seen.runs += 1;
      return (await order(seen.runs)) as { orderId: string };
    },
    addNote: () => {
      seen.runs += 1;
      return { noteId: seen.runs };
    },
    setNote: () => ({}),
    countOrders: () => ({ count: seen.runs }),
  };
  const server = createShopServer({
    handlers: { shop },
    idempotency: idempotency(store, limits),
    onError: (error) => void seen.failures.push(error),
    ...options,
  });
  const fetch: Fetch = (url, init) => server.fetch(new Request(url, init));
  const send = async (
    key: string | null,
    sent: object = body,
    headers: object = {},
    path = "/rpc/Shop/Order",
  ) => {
    const response = await fetch(`http://shop.test${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== null && { "idempotency-key": key }),
        ...headers,
      },
      body: JSON.stringify(sent),
    });
    const { status } = response;
    const retryAfter = response.headers.get("retry-after");
    const text = await response.text();
    return { status, text, cause: JSON.parse(text).cause, retryAfter };
  };
  return { ...seen, seen, server, fetch, send };
}

async function aesKey(): Promise<CryptoKey> {
  const algorithm = { name: "AES-GCM", length: 256 };
  return crypto.subtle.generateKey(algorithm, false, ["encrypt", "decrypt"]);
}

const openEncrypted = async (order?: (run: number) => unknown) =>
  openShop(order, encryptAnswers(memoryAnswers(), await aesKey()));

describe("a server with encrypted answers", () => {
  it("answers a repeated call as the first one", async () => {
    const { seen, send } = await openEncrypted();
    const first = await send('"k"');
    expect(first).toMatchObject({ status: 200, text: '{"orderId":"order 1"}' });
    expect(await send('"k"', { count: 1, sku: "A" })).toEqual(first);
    expect(seen.runs).toBe(1);
    expect((await send('"other"')).text).toBe('{"orderId":"order 2"}');
  });

  it("keeps declared errors", async () => {
    const { seen, send } = await openEncrypted(() => {
      throw new SoldOutError();
    });
    const first = await send('"k"');
    expect(first.status).toBe(409);
    expect(await send('"k"')).toEqual(first);
    expect(seen.runs).toBe(1);
  });
});

describe("a server with keys", () => {
  it("forgets answers after a time", async () => {
    const { seen, send } = openShop(undefined, undefined, { keepMs: 1 });
    await send('"k"');
    await expect
      .poll(async () => (await send('"k"')).text)
      .toBe('{"orderId":"order 2"}');
    expect(seen.runs).toBe(2);
  });

  it("forgets the oldest answers if they fill the memory", async () => {
    const text = (run: number) => ({ orderId: `${run}`.padEnd(500) });
    const store = memoryAnswers({ maxLength: 2000 });
    const { seen, send } = openShop(text, store);
    for (const key of ['"a"', '"b"', '"c"', '"d"']) await send(key);
    expect((await send('"d"')).text).toMatch(/"4 /u);
    expect(seen.runs).toBe(4);
    expect((await send('"a"')).text).toMatch(/"5 /u);
    expect(() => memoryAnswers({ maxLength: NaN })).toThrow(TypeError);
  });

  it("runs a call with a long answer once", async () => {
    const { seen, send } = openShop(undefined, undefined, {
      maxAnswerLength: 10,
    });
    expect((await send('"k"')).status).toBe(200);
    expect(await send('"k"')).toMatchObject({ status: 500 });
    expect((await send('"k"', { sku: "B", count: 1 })).status).toBe(422);
    expect(seen.runs).toBe(1);
    expect(seen.failures).toHaveLength(1);
  });

  it("repeats a response that is longer than 64 KiB", async () => {
    const orderId = "x".repeat(100_000);
    const { send } = openShop(() => ({ orderId }), undefined, undefined, {
      maxConcurrent: 1,
    });
    const first = await send('"k"');
    expect(first.text).toBe(JSON.stringify({ orderId }));
    expect(await send('"k"')).toEqual(first);
  });

  it("reports the error of a repeated answer to observers", async () => {
    const outcomes: Outcome[] = [];
    const { send } = openShop(
      () => {
        throw new SoldOutError();
      },
      undefined,
      undefined,
      { observe: () => (outcome) => void outcomes.push(outcome) },
    );
    await send('"k"');
    await send('"k"');
    expect(outcomes.map(({ error }) => error)).toEqual(["SoldOut", "SoldOut"]);
  });

  it("fails without running the call if the store fails", async () => {
    const error = new Error("no database");
    const store = { once: () => Promise.reject(error) };
    const { seen, send } = openShop(undefined, store);
    expect((await send('"k"')).status).toBe(500);
    expect(seen.failures).toEqual([error]);
    expect(seen.runs).toBe(0);
  });

  it.each([
    ["is empty", /.*/u, ""],
    ["is null", /.*/u, "null"],
    ["is cut", /.{2}$/u, ""],
    ["has no hash", /"digest":"[^"]*",/u, ""],
    ["has no status", /"status":200/u, '"status":0'],
    ["has a cut body", /\\"\}"/u, '"'],
  ])("fails without running again if its answer %s", async (_, from, to) => {
    const answers = memoryAnswers();
    const { seen, send } = openShop(undefined, {
      once: async (call, run) => {
        const outcome = await answers.once(call, run);
        if (outcome.kind !== "stored") return outcome;
        expect(outcome.text).toMatch(from);
        return { ...outcome, text: outcome.text.replace(from, to) };
      },
    });
    expect((await send('"k"')).status).toBe(200);
    expect((await send('"k"')).status).toBe(500);
    expect(seen.failures).toEqual([new Error("a stored answer is corrupt")]);
    expect(seen.runs).toBe(1);
  });

  it("knows the long answers of servers in Go", async () => {
    const answers = memoryAnswers();
    const { send } = openShop(undefined, {
      once: async (call, run) => {
        const outcome = await answers.once(call, run);
        if (outcome.kind !== "stored") return outcome;
        const { digest } = Object(JSON.parse(outcome.text));
        const long = { digest, status: 0, headers: null, error: null };
        return { ...outcome, text: JSON.stringify(long) };
      },
    });
    expect((await send('"k"')).status).toBe(200);
    const { text } = await send('"k"');
    expect(JSON.parse(text)).toMatchObject({ error: "WebrpcBadResponse" });
  });

  it("ends at its deadline if the store hangs", async () => {
    const store = { once: () => new Promise<never>(() => {}) };
    const { send } = openShop(undefined, store, undefined, { timeoutMs: 20 });
    expect((await send('"k"')).status).toBe(504);
  });

  it("does not reveal answers under another secret", async () => {
    const store = memoryAnswers();
    const one = openShop(undefined, encryptAnswers(store, await aesKey()));
    const two = openShop(undefined, encryptAnswers(store, await aesKey()));
    await one.send('"k"');
    expect((await two.send('"k"')).status).toBe(500);
    expect(two.seen.runs).toBe(0);
  });

  it("ignores the tenant, whose limits it shares", async () => {
    const userKey = createKey<string>("user");
    const { seen, send } = openShop(undefined, undefined, undefined, {
      createState: (context) => {
        context.set(userKey, context.header("x-user") ?? "");
        return undefined;
      },
      caller: ({ get }) => get(userKey) ?? null,
      tenant: (context) => context.header("x-real-ip"),
    });
    // Two colleagues pay the same amount with equal keys.
    const one = await send('"k"', body, { "x-user": "1", "x-real-ip": "a" });
    const two = await send('"k"', body, { "x-user": "2", "x-real-ip": "a" });
    expect([one.text, two.text]).toEqual([
      '{"orderId":"order 1"}',
      '{"orderId":"order 2"}',
    ]);
    // One of them has changed networks.
    const again = await send('"k"', body, { "x-user": "1", "x-real-ip": "b" });
    expect(again).toEqual(one);
    expect(seen.runs).toBe(2);
  });

  it("looks for answers of earlier versions until they have expired", async () => {
    const ids: string[] = [];
    const answers = memoryAnswers();
    const store: AnswerStore = {
      looksUpFormerIds: true,
      once: (call, run) => {
        ids.push(call.id, ...(call.formerIds ?? []));
        return answers.once(call, run);
      },
    };
    const { send } = openShop(undefined, store, { keepMs: 1 });
    await send('"k"');
    // Its caller would have had no credentials, no tenant, or an empty one.
    expect(new Set(ids).size).toBe(4);
    const count = async () => {
      ids.length = 0;
      await send('"k"');
      return ids.length;
    };
    await expect.poll(count).toBe(1);
  });

  it.each([0, 1, 2])("repeats an answer under former ID %d", async (at) => {
    const store = encryptAnswers(memoryAnswers(), await aesKey());
    let isOld = true;
    const { seen, send } = openShop(undefined, {
      looksUpFormerIds: true,
      once: ({ formerIds = [], ...call }, run) => {
        const id = isOld ? (formerIds[at] ?? "") : call.id;
        return store.once({ ...call, id, formerIds }, async () => {
          const answer = await run();
          if (answer === null) return null;
          const sent = `${id}${keyOfValue([{}, body])}`;
          const hash = createHash("sha256").update(sent).digest("base64");
          const old = { ...JSON.parse(answer.text), digest: hash.slice(0, 43) };
          return { ...answer, text: JSON.stringify(old) };
        });
      },
    });
    const first = await send('"k"');
    isOld = false;
    expect(await send('"k"')).toEqual(first);
    expect(seen.runs).toBe(1);
  });

  it("keeps hosts, base paths, callers and methods in one store apart", async () => {
    const idOf = async (
      row: Partial<ServerMethod>,
      parameters: RequestFacts["parameters"] = {},
      caller: string | null = null,
    ): Promise<string> => {
      const ids: string[] = [];
      const store: AnswerStore = {
        looksUpFormerIds: true,
        once: async ({ id }) => {
          ids.push(id);
          return { kind: "running" };
        },
      };
      const answer = idempotency(store).answer({
        method: {
          ...plainRow,
          service: "Shop",
          name: "Order",
          handler: ["shop", "order"],
          route: { kind: "rpc", path: "/rpc/Shop/Order" },
          checkRequest: () => {},
          checkResponse: () => {},
          ...row,
        },
        request: Object.assign(Object.create(null), { header: () => '"k"' }),
        context: Object.assign(Object.create(null), { parameters }),
        message: {},
        sent: "{}",
        timeoutMs: 1000,
        caller: () => caller,
        formerCallers: () => [],
        run: () => Promise.reject(new Error("not called")),
        withHeaders: (response) => response,
      });
      await expect(answer).rejects.toMatchObject({ status: 409 });
      return ids.join();
    };
    const ids = await Promise.all([
      idOf({}),
      idOf({ host: "shop" }),
      idOf({ host: "bank" }),
      idOf({ host: "bank" }, { network: "a" }),
      idOf({ host: "bank" }, { network: "b" }),
      idOf({ host: "bank" }, {}, "ann"),
      idOf({ host: "bank", name: "Other" }),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("looks for former answers in a store that has only `once`", async () => {
    const inner = encryptAnswers(memoryAnswers(), await aesKey());
    const ids: string[] = [];
    const { seen, send } = openShop(undefined, {
      once: (call, run) => {
        ids.push(call.id);
        return inner.once({ ...call, id: `shop:${call.id}` }, run);
      },
    });
    const first = await send('"k"');
    const sent = ids.splice(0);
    expect(await send('"k"')).toEqual(first);
    expect(seen.runs).toBe(1);
    expect(new Set(sent).size).toBe(4);
    expect(ids).toEqual(sent);
  });

  it("needs the option", () => {
    const { shop } = { shop: { order: () => ({ orderId: "" }) } };
    const options = { handlers: { shop: { ...shop, addNote: () => null } } };
    const create: (options: never) => unknown = createShopServer;
    expect(() => Reflect.apply(create, null, [options])).toThrow(
      new TypeError("server option idempotency is required by Shop/Order"),
    );
    expect(() => idempotency(memoryAnswers(), { keepMs: NaN })).toThrow(
      TypeError,
    );
  });

  it("needs a caller if a method has credentials", async () => {
    const create: (options: never) => unknown = createRelayerServer;
    const options = {
      handlers: { relayer: { addGasSponsor: () => null } },
      idempotency: idempotency(memoryAnswers()),
      verifyAccessKey: () => true,
      verifySecret: () => true,
    };
    expect(() => Reflect.apply(create, null, [options])).toThrow(
      new TypeError("server option caller must be a function"),
    );
  });

  it.each([null, "", 7])(
    "does not run a call of the caller %j",
    async (caller) => {
      const { seen, send } = openShop(undefined, undefined, undefined, {
        caller: () => caller as string,
      });
      // The shop needs no credentials, so nobody may call it.
      const isUnknown = caller === null;
      expect((await send('"k"')).status).toBe(isUnknown ? 200 : 500);
      expect(seen.runs).toBe(isUnknown ? 1 : 0);
    },
  );

  it.each([null, "", 7, "me"])(
    "does not run a call with credentials of the caller %j",
    async (caller) => {
      let runs = 0;
      const server = createRelayerServer({
        handlers: {
          relayer: {
            addGasSponsor: () => {
              runs += 1;
              throw new Error("failed");
            },
          },
        },
        caller: () => caller as string,
        idempotency: idempotency(memoryAnswers()),
        onError: () => undefined,
        verifyAccessKey: () => true,
        verifySecret: () => true,
      });
      const { status } = await server.fetch(
        new Request("http://relayer.test/rpc/Relayer/AddGasSponsor", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "idempotency-key": '"k"',
            "x-access-key": "a",
            authorization: "Bearer b",
          },
          body: JSON.stringify({
            projectId: 1,
            address: `0x${"a".repeat(40)}`,
          }),
        }),
      );
      expect([status, runs]).toEqual([500, caller === "me" ? 1 : 0]);
    },
  );

  it("allows the header to pages of other origins", async () => {
    const { fetch } = openShop(undefined, undefined, undefined, {
      cors: { origins: "*" },
    });
    const { headers } = await fetch("http://shop.test/rpc/Shop/Order", {
      method: "OPTIONS",
      headers: { origin: "http://a", "access-control-request-method": "POST" },
    });
    expect(headers.get("access-control-allow-headers")).toBe(
      "Content-Type, Webrpc, Request-Timeout-Ms, Idempotency-Key",
    );
  });
});

describe("a client", () => {
  const baseUrl = "http://shop.test";

  function record(fetch: Fetch, isLost: (attempt: number) => boolean) {
    const keys: (string | null)[] = [];
    const sending: Fetch = async (url, init) => {
      keys.push(new Headers(init.headers).get("idempotency-key"));
      const response = await fetch(url, init);
      if (isLost(keys.length)) throw new TypeError("connection reset");
      return response;
    };
    return { keys, sending };
  }

  it("sends one key with all attempts of a call", async () => {
    const { fetch, seen } = openShop();
    const { keys, sending } = record(fetch, (attempt) => attempt < 3);
    const use = [retry({ backoffMs: 1 })];
    const shop = createShopClient({ baseUrl, fetch: sending, use });
    expect(await shop.order(body)).toEqual({ orderId: "order 1" });
    expect(seen.runs).toBe(1);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^"\d+-\d+-\d+-\d+"$/);
    await shop.order(body);
    await shop.addNote({ orderId: "1", text: "" });
    await shop.countOrders();
    expect(keys).toHaveLength(6);
    expect(new Set(keys.slice(2)).size).toBe(4);
    expect(keys[5]).toBeNull();
  });

  it("sends the key of its caller", async () => {
    const { fetch, seen } = openShop();
    const { keys, sending } = record(fetch, () => false);
    const shop = createShopClient({ baseUrl, fetch: sending });
    const own = { idempotencyKey: String.raw`order "7" \ A` };
    await shop.order(body, own);
    await shop.order(body, own);
    expect(keys).toEqual(Array(2).fill(String.raw`"order \"7\" \\ A"`));
    expect(seen.runs).toBe(1);
    await expect(shop.order({ ...body, count: 2 }, own)).rejects.toMatchObject({
      name: "WebrpcBadRequest",
      status: 422,
    });
  });

  it.each(["", "ä", "a\nb", "k".repeat(256)])(
    "rejects the key %j",
    async (idempotencyKey) => {
      const { fetch } = openShop();
      const shop = createShopClient({ baseUrl, fetch });
      const own: CallOptions = { idempotencyKey };
      await expect(shop.order(body, own)).rejects.toThrow(
        "idempotencyKey: expected 1 to 255 ASCII characters, got ",
      );
    },
  );
});
