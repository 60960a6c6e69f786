import { expect } from "vitest";

/** A request to a server of `idempotency.ridl`. */
interface SentCall {
  readonly path?: string;
  /** The header with the key, or null. */
  readonly key: string | null;
  /** JSON, or a value to print. */
  readonly body: string | object;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | null;
  readonly retryAfter: string | null;
  /** What a server says about the first call with the key. */
  readonly state: string | null;
}

/** What a case calls: instances of a server that share a store. */
export class Instances {
  readonly #urls: readonly string[];
  /** The number of calls. */
  count = 0;

  constructor(...urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Sends a call to the next instance. */
  send(call: SentCall): Promise<Answer> {
    this.count += 1;
    return sendTo(this.#urls[this.count % this.#urls.length] ?? "", call);
  }

  /** Sends a call with a body to `Orders.Order`. */
  order(key: string | null, body: string | object): Promise<Answer> {
    return this.send({ key, body });
  }

  /** Waits until an order has run or is running, once. */
  async untilRuns(sku: string): Promise<void> {
    const call = { path: "/rpc/Orders/CountRuns", key: null, body: { sku } };
    const count = async (): Promise<number> => {
      const answers = await Promise.all(
        this.#urls.map((url) => sendTo(url, call)),
      );
      const counts = answers.map(({ text }) => Object(JSON.parse(text)).count);
      return counts.reduce((sum, each) => sum + Number(each), 0);
    };
    await expect.poll(count, { timeout: 30_000 }).toBe(1);
  }

  /** Ends a call that waits, on all instances. */
  async release(sku: string): Promise<void> {
    const call = { path: "/rpc/Orders/Release", key: null, body: { sku } };
    for (const url of this.#urls) await sendTo(url, call);
  }
}

async function sendTo(
  url: string,
  { body, key, path = "/rpc/Orders/Order", signal, token }: SentCall,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== null && { "idempotency-key": key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  const { headers, status } = response;
  return {
    status,
    text: await response.text(),
    contentType: headers.get("content-type"),
    retryAfter: headers.get("retry-after"),
    state: headers.get("idempotency-state"),
  };
}

function causeOf({ text }: Answer): string {
  return String(Object(JSON.parse(text)).cause);
}

/** A case that each server with keys passes, alone and together with others. */
type Check = (instances: Instances) => Promise<void>;

async function expectOther(answer: Answer): Promise<void> {
  expect(answer).toMatchObject({ status: 422, retryAfter: null });
  expect(causeOf(answer)).toBe(
    "header Idempotency-Key: expected a new key, got the key of another request",
  );
  expect(JSON.parse(answer.text)).toMatchObject({ error: "WebrpcBadRequest" });
}

/** Cases by names, which are also the SKUs, so that each has orders of its own. */
export const repeatedCalls: Readonly<Record<string, Check>> = {
  "a repeated call has the answer of the first": async (to) => {
    const sku = "same answer";
    const first = await to.order('"same"', { sku });
    expect(first).toMatchObject({
      status: 200,
      contentType: "application/json",
    });
    expect(first.text).toMatch(/: same answer, run 1"\}$/u);
    for (let i = 0; i < 3; i += 1)
      expect(await to.order('"same"', { sku })).toEqual(first);
    const other = await to.order('"same, other"', { sku: "same other" });
    expect(other.text).toContain("same other, run 1");
  },

  "declared errors are kept, with their data": async (to) => {
    const sku = "sold-out 1";
    const first = await to.order('"sold out"', { sku });
    expect(first.status).toBe(409);
    expect(JSON.parse(first.text)).toMatchObject({ data: { left: 3 } });
    for (let i = 0; i < 3; i += 1)
      expect(await to.order('"sold out"', { sku })).toEqual(first);
    await to.untilRuns(sku);
  },

  "other failures are not kept": async (to) => {
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1)
      statuses.push((await to.order('"lost"', { sku: "unkept 1" })).status);
    // With two instances, each fails three times, until one of them succeeds.
    const found = statuses.filter((status, at) => status !== statuses[at - 1]);
    expect(found).toEqual([500, 429, 400, 200]);
  },

  "a declared error can be excluded": async (to) => {
    const causes = new Set<string>();
    for (let i = 0; i < 4; i += 1) {
      const answer = await to.order('"locked"', { sku: "locked 1" });
      expect(answer.status).toBe(423);
      causes.add(causeOf(answer));
    }
    expect(causes.has("run 2")).toBe(true);
  },

  "another request with the same key is refused": async (to) => {
    await to.order('"reused"', { sku: "reused 1" });
    for (let i = 0; i < 2; i += 1)
      await expectOther(await to.order('"reused"', { sku: "reused 2" }));
  },

  "a repetition is refused while the call runs": async (to) => {
    const sku = "waits 1";
    const first = to.order('"running"', { sku });
    await to.untilRuns(sku);
    for (let i = 0; i < 2; i += 1) {
      const refused = await to.order('"running"', { sku });
      expect(refused).toMatchObject({
        status: 409,
        retryAfter: "1",
        state: "running",
      });
      expect(JSON.parse(refused.text)).toMatchObject({
        error: "WebrpcRequestFailed",
        cause: "header Idempotency-Key: a call with this key is still running",
      });
    }
    await to.release(sku);
    const answer = await first;
    expect(answer.text).toContain("waits 1, run 1");
    expect(await to.order('"running"', { sku })).toEqual(answer);
  },

  "the answer is kept if the client leaves": async (to) => {
    const call = { key: '"left"', body: { sku: "waits 2" } };
    const { abort, signal } = controlled();
    const left = to.send({ ...call, signal }).catch(() => null);
    await to.untilRuns("waits 2");
    abort();
    await left;
    expect((await to.send(call)).status).toBe(409);
    await to.release("waits 2");
    const send = async (): Promise<number> => (await to.send(call)).status;
    await expect.poll(send, { timeout: 30_000 }).toBe(200);
    expect((await to.send(call)).text).toContain("waits 2, run 1");
  },

  "malformed keys are refused": async (to) => {
    const long = "k".repeat(256);
    for (const [key, got] of [
      [null, "nothing"],
      ["k", '"k"'],
      ['""', '"\\"\\""'],
      ['"a", "b"', String.raw`"\"a\", \"b\""`],
      ['"a"b"', String.raw`"\"a\"b\""`],
      [String.raw`"a\b"`, String.raw`"\"a\\b\""`],
      ['"ä"', '"\\"ä\\""'],
      [`"${long}"`, JSON.stringify(`"${"k".repeat(39)}`)],
    ] as const) {
      const answer = await to.order(key, { sku: "malformed" });
      expect(answer.status).toBe(400);
      expect(causeOf(answer)).toBe(
        `header Idempotency-Key: expected 1 to 255 ASCII characters in quotes, e.g. "8e03978e-40d5-43dd-bc93-6894a57f9324", got ${got}`,
      );
    }
  },

  "escaped and long keys are read": async (to) => {
    for (const key of [
      String.raw`"\"\\ ~"`,
      `"${"k".repeat(255)}"`,
      `"${'\\"'.repeat(255)}"`,
    ]) {
      const first = await to.order(key, { sku: `escaped ${key.length}` });
      expect(first.status).toBe(200);
      const again = { sku: `escaped ${key.length}` };
      expect(await to.order(`${key} `, again)).toEqual(first);
    }
  },

  "the request is checked before the key": async (to) => {
    const invalid = await to.order('"checked"', { sku: 1 });
    expect(causeOf(invalid)).toContain("sku");
    const first = await to.order('"checked"', { sku: "checked" });
    expect(first.text).toContain("checked, run 1");
  },

  "an optional key can be missing": async (to) => {
    const note = (
      id: number,
      key: string | null,
      query = "",
    ): Promise<Answer> =>
      to.send({
        path: `/orders/${id}/notes${query}`,
        key,
        body: { text: "x" },
      });
    const first = await note(1, '"note"');
    expect(first).toMatchObject({ status: 201 });
    expect(await note(1, '"note"')).toEqual(first);
    const other = await note(1, null);
    expect(other).toMatchObject({ status: 201 });
    expect(other.text).not.toBe(first.text);
    expect((await note(1, "note")).status).toBe(400);
    // Parts of the address are parts of the request.
    await expectOther(await note(2, '"note"'));
    await expectOther(await note(1, '"note"', "?tag=a"));
  },

  "an answer without a body is kept": async (to) => {
    for (let i = 0; i < 3; i += 1) {
      const body = { sku: "touched" };
      const answer = await to.send({ path: "/touch", key: '"touch"', body });
      expect(answer).toMatchObject({
        status: 204,
        text: "",
        contentType: null,
      });
    }
  },

  "a renewed token belongs to the same caller": async (to) => {
    const pay = (token: string): Promise<Answer> => {
      const body = { sku: "renewed" };
      return to.send({ path: "/rpc/Orders/Pay", key: '"new"', body, token });
    };
    const first = await pay("grace 1");
    expect(first.text).toContain("renewed, run 1");
    for (const token of ["grace 2", "grace 3", "grace 1"])
      expect(await pay(token)).toEqual(first);
    expect((await pay("hopper 1")).text).not.toBe(first.text);
  },

  "callers and methods are kept apart": async (to) => {
    const pay = (token: string, sku: string): Promise<Answer> =>
      to.send({ path: "/rpc/Orders/Pay", key: '"pay"', body: { sku }, token });
    const first = await pay("one", "paid 1");
    expect(first.text).toContain("paid 1, run 1");
    expect((await pay("two", "paid 2")).text).toContain("paid 2, run 1");
    expect((await pay("\u00e9", "paid 3")).text).toContain("paid 3, run 1");
    expect((await pay("\u00e8", "paid 4")).text).toContain("paid 4, run 1");
    expect((await to.order('"pay"', { sku: "paid 5" })).text).toContain(
      "run 1",
    );
    const touch = { path: "/touch", key: '"pay"', body: { sku: "paid 6" } };
    expect((await to.send(touch)).status).toBe(204);
    expect(await pay("one", "paid 1")).toEqual(first);
    await expectOther(await pay("one", "paid 2"));
    expect((await pay("wrong", "paid 1")).status).toBe(401);
  },

  "a call with a long answer runs once": async (to) => {
    expect((await to.order('"long"', { sku: "long 1" })).status).toBe(200);
    for (let i = 0; i < 2; i += 1) {
      const again = await to.order('"long"', { sku: "long 1" });
      expect(again.status).toBe(500);
      expect(JSON.parse(again.text)).toMatchObject({
        error: "WebrpcBadResponse",
        cause:
          "the call has already run, but its answer was too long to be kept",
      });
    }
    await expectOther(await to.order('"long"', { sku: "long 2" }));
  },

  "equal requests have other forms": async (to) => {
    for (const [at, [one, other]] of equal.entries()) {
      const key = `"equal ${at}"`;
      const first = await to.order(key, withSku("equal", one));
      expect([first.status, first.text, one]).toEqual([200, first.text, one]);
      for (const each of [other, one, other])
        expect([each, await to.order(key, withSku("equal", each))]).toEqual([
          each,
          first,
        ]);
    }
  },

  "requests with other values are other requests": async (to) => {
    for (const [at, [one, other]] of different.entries()) {
      const key = `"different ${at}"`;
      const first = await to.order(key, withSku("different", one));
      expect([first.status, one]).toEqual([200, one]);
      for (let i = 0; i < 2; i += 1)
        await expectOther(await to.order(key, withSku("different", other)));
    }
  },
};

/**
 * Cases for instances that replace those of an earlier version, which scoped keys
 * by credentials or by the option `tenant`, or that run beside those of a newer
 * contract. They have left `former-answers.json`.
 */
export const upgradedCalls: Readonly<Record<string, Check>> = {
  "a call with fields of a newer contract": async (to) => {
    const gift = { to: "Ada", at: 1.5 };
    const details = { items: [{ gift, sku: "", count: 1 }] };
    const newer = { coupon: null, details, sku: "newer 1" };
    for (let i = 0; i < 2; i += 1) {
      const again = await to.order('"newer"', newer);
      expect(again.text).toBe('{"orderId":"new: newer 1, run 1"}');
      const other = { ...newer, coupon: "A" };
      await expectOther(await to.order('"newer"', other));
    }
  },

  "a call without credentials": async (to) => {
    for (let i = 0; i < 2; i += 1) {
      const again = await to.order('"upgrade"', { sku: "upgraded 1" });
      expect(again.text).toBe('{"orderId":"old: upgraded 1, run 1"}');
      await expectOther(await to.order('"upgrade"', { sku: "other" }));
      const body = { text: "x" };
      const note = { path: "/orders/upgraded/notes", key: '"upgrade"', body };
      expect((await to.send(note)).text).toContain("old: upgraded, run 1");
    }
  },

  "a call with the same token": async (to) => {
    const body = { sku: "upgraded 2" };
    const call = { path: "/rpc/Orders/Pay", key: '"upgrade"', body };
    for (let i = 0; i < 2; i += 1) {
      const again = await to.send({ ...call, token: "ada 1" });
      expect(again.text).toContain("old: upgraded 2, run 1");
    }
    const other = await to.send({ ...call, token: "grace 1" });
    expect(other.text).not.toContain("old");
  },

  "a call whose `tenant` became the `caller`": async (to) => {
    const body = { sku: "upgraded 3" };
    const call = { path: "/rpc/Orders/Pay", key: '"upgrade, renamed"', body };
    for (const token of ["ada 1", "ada 2"]) {
      const again = await to.send({ ...call, token });
      expect(again.text).toContain("old: upgraded 3, run 1");
    }
  },
};

function controlled(): { abort: () => void; signal: AbortSignal } {
  const controller = new AbortController();
  return { abort: () => controller.abort(), signal: controller.signal };
}

function withSku(sku: string, details: string): string {
  return `{"sku":"${sku}","details":${details}}`;
}

/** Details in JSON that are equal. */
const equal: readonly (readonly [string, string])[] = [
  ['{"isGift":true,"note":"a"}', '{ "note" : "a", "isGift" : true }'],
  ['{"note":"A\\u00e9\\/"}', '{"note":"\\u0041é/"}'],
  ['{"isGift":null}', "{}"],
  ['{"unknown":{"a":[1]}}', "{}"],
  ['{"isGift":false,"isGift":true}', '{"isGift":true}'],
  ['{"isGift":true,"isGift":null}', "{}"],
  ['{"items":[{"sku":"","count":1}]}', '{"items":[{"count":1.0,"sku":""}]}'],
  ['{"items":[{"sku":"","count":1e2}]}', '{"items":[{"count":100,"sku":""}]}'],
  ['{"items":[{"sku":"","count":-0}]}', '{"items":[{"count":0,"sku":""}]}'],
  ['{"prices":{"b":1.50,"a":1e21}}', '{"prices":{"a":1E+21,"b":1.5}}'],
  [
    '{"prices":{"\u{1F600}":1,"\uFFFD":2,"é":3,"__proto__":4}}',
    '{"prices":{"__proto__":4,"é":3,"\uFFFD":2,"\u{1F600}":1}}',
  ],
  ['{"serial":"007"}', '{"serial":"7"}'],
  ['{"serial":"-0"}', '{"serial":"0"}'],
  [
    '{"payment":{"kind":"card","number":"01"}}',
    '{"payment":{"number":"1","kind":"card"}}',
  ],
  [
    '{"payment":{"kind":"cash","amount":1.0}}',
    '{"payment":{"amount":1,"kind":"cash","number":"1"}}',
  ],
  [
    '{"anything":{"b":[1.0,{"c":null,"a":"\\u0041"}],"a":1e3}}',
    '{"anything":{"a":1000,"b":[1,{"a":"A","c":null}]}}',
  ],
  ['{"anything":9007199254740993}', '{"anything":9007199254740992}'],
  ['{"items":[]}', '{"items":[ ]}'],
  ['{"notes":["a",null]}', '{"notes":[ "a", null ]}'],
];

/** Details in JSON that differ. */
const different: readonly (readonly [string, string])[] = [
  ["{}", '{"isGift":false}'],
  ['{"note":null}', "{}"],
  ['{"note":null}', '{"note":"null"}'],
  ['{"notes":[null]}', '{"notes":["null"]}'],
  ['{"items":[]}', "{}"],
  [
    '{"items":[{"sku":"","count":1,"secret":"AQI="}]}',
    '{"items":[{"sku":"","count":1,"secret":"AQM="}]}',
  ],
  [
    '{"items":[{"sku":"a","count":1},{"sku":"b","count":1}]}',
    '{"items":[{"sku":"b","count":1},{"sku":"a","count":1}]}',
  ],
  ['{"prices":{"a":1}}', '{"prices":{"a":1.0000001}}'],
  [
    '{"serial":"12345678901234567890123456789"}',
    '{"serial":"12345678901234567890123456788"}',
  ],
  ['{"anything":1}', '{"anything":"1"}'],
  ['{"anything":null}', "{}"],
  ['{"anything":"a\\u0000"}', '{"anything":"a"}'],
  [
    '{"payment":{"kind":"cash","amount":1}}',
    '{"payment":{"kind":"card","number":"1"}}',
  ],
  ['{"at":"2024-01-01T00:00:00Z"}', '{"at":"2024-01-01T00:00:00.001Z"}'],
];
