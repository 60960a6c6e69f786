import { afterEach, expect, it, vi } from "vitest";
import { buildGuide, type PaymentForm } from "./guide-services.js";

type Respond = (key: string, request: object) => Response;

/** What the guide's files for browsers export, and what they import. */
interface Browser extends PaymentForm {
  openClient(respond: Respond): object;
  openDraft(storage: object, customer: string): { readonly to: string } | null;
}

const browserCode = `export { openDraft, submit } from "./form.js";
import { createPaymentsClient } from "./generated/payments/client.js";
import { retry } from "@ridlkit/runtime/interceptors";
export const openClient = (respond) => createPaymentsClient({
  baseUrl: "http://localhost",
  use: [retry({ attempts: 2, backoffMs: 1 })],
  fetch: async (url, init) =>
    respond(new Headers(init.headers).get("idempotency-key"), JSON.parse(init.body)),
});
`;

/** Opens a browser, whose network can replace the server's responses. */
async function openBrowser() {
  const { browser } = await buildGuide<Browser>(browserCode);
  const made = new Map<string, object>();
  const stored = new Map<string, string>();
  const network: { replace: (() => Response) | null } = { replace: null };
  const respond: Respond = (key, request) => {
    if (!made.has(key)) made.set(key, request);
    if (network.replace !== null) return network.replace();
    return Response.json({
      receipt: `payment ${[...made.keys()].indexOf(key)}`,
    });
  };
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  };
  const payments = browser.openClient(respond);
  return {
    network,
    payments: () => [...made.values()],
    draft: (customer: string) => browser.openDraft(storage, customer),
    submit: (customer: string, form: object) =>
      browser.submit(payments, storage, customer, form),
  };
}

const form = { to: "Grace", cents: 500 };

const envelope = (error: string, code: number, status: number) => () =>
  Response.json({ error, code, msg: "no", status }, { status });

it.each([
  ["a timeout", envelope("WebrpcRequestFailed", -1, 408)],
  ["a missing route", envelope("WebrpcBadRoute", -2, 404)],
  ["another request", envelope("WebrpcBadRequest", -4, 422)],
  ["an expired token", envelope("Unauthorized", 1401, 401)],
  ["a gateway", () => new Response("<h1>Forbidden</h1>", { status: 403 })],
  ["a busy server", () => new Response("", { status: 503 })],
])("pays once if %s responds after a lost answer", async (_, refuse) => {
  const page = await openBrowser();
  const lose = () => {
    page.network.replace = refuse;
    throw new TypeError("the connection is lost");
  };
  page.network.replace = lose;
  await expect(page.submit("ada", form)).rejects.toThrow();
  expect(page.draft("ada")).toMatchObject(form);
  page.network.replace = null;
  expect(await page.submit("ada", form)).toBe("payment 0");
  expect(page.payments()).toEqual([form]);
  expect(page.draft("ada")).toBeNull();
});

it("removes a draft when the server says that it made no payment", async () => {
  const page = await openBrowser();
  page.network.replace = envelope("OverLimit", 1402, 422);
  await expect(page.submit("ada", form)).rejects.toThrow("no");
  expect(page.draft("ada")).toBeNull();
});

it("keeps a draft for each customer, and refuses another payment", async () => {
  const page = await openBrowser();
  page.network.replace = () => new Response("", { status: 503 });
  await expect(page.submit("ada", form)).rejects.toThrow();
  page.network.replace = null;
  const own = { to: "Carol", cents: 7 };
  await page.submit("bob", own);
  expect(page.payments()).toEqual([form, own]);
  for (const other of [
    { ...form, cents: 501 },
    { ...form, to: "Carol" },
  ]) {
    await expect(page.submit("ada", other)).rejects.toThrow("to Grace");
  }
  expect(await page.submit("ada", form)).toBe("payment 0");
  expect(page.payments()).toEqual([form, own]);
});

const hourMs = 60 * 60 * 1000;
afterEach(() => void vi.useRealTimers());

it("refuses a draft that the server may have forgotten", async () => {
  const page = await openBrowser();
  page.network.replace = () => new Response("", { status: 503 });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const hours of [0, 22]) {
    vi.setSystemTime(start + hours * hourMs);
    await expect(page.submit("ada", form)).rejects.toMatchObject({
      status: 503,
    });
  }
  // Too late, and with a clock that was set back.
  for (const hours of [24, 23, -1]) {
    vi.setSystemTime(start + hours * hourMs);
    await expect(page.submit("ada", form)).rejects.toThrow("too old");
  }
  expect(page.payments()).toEqual([form]);
  expect(page.draft("ada")).toMatchObject(form);
});
