import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { createRandom, pick } from "../../../platform/test/crash/random.js";
import { startAnswersDatabase } from "../start-database.js";
import { buildGuide, type PaymentForm } from "./guide-services.js";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the guide's files for browsers export, and what they import. */
interface Browser extends PaymentForm {
  openClient(
    fetch: Fetch,
    token: () => string,
  ): { readonly pay: (...args: never[]) => Promise<unknown> };
}

const browserCode = `export { submit } from "./form.js";
import { createPaymentsClient } from "./generated/payments/client.js";
import { retry } from "@ridlkit/runtime/interceptors";
export const openClient = (fetch, token) =>
  createPaymentsClient({
    baseUrl: "http://localhost", fetch, credentials: { token },
    timeoutMs: 10_000, use: [retry({ backoffMs: 20 })],
  });
`;

/** The number of people who pay at the same time. */
const concurrency = 24;

/** The share of requests that lose their connection. */
const cutShare = 0.15;

/** The share of forms that are submitted twice at once. */
const doubleShare = 0.2;

/**
 * Makes payments with the programs of the guide while connections are cut, both
 * services are killed, forms are submitted twice and again, tokens are renewed,
 * and networks change. Two customers have the same key.
 */
export async function payUnderFaults(
  count: number,
  kills: number,
  seed: number,
): Promise<void> {
  const random = createRandom(seed);
  const database = await startAnswersDatabase();
  onTestFinished(database.stop);
  const guide = await buildGuide<Browser>(browserCode);
  const DATABASE_URL = database.url;
  const bank = await guide.start("bank", { DATABASE_URL });
  onTestFinished(bank.stop);
  const BANK_URL = `http://localhost:${bank.port}`;
  const open = () => guide.start("server", { BANK_URL, DATABASE_URL });
  const servers = [await open(), await open()];
  for (const each of servers) onTestFinished(each.stop);

  const send: Fetch = async (url, init) => {
    const to = new URL(url);
    to.port = String(pick(random, servers).port);
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-for", `10.0.0.${Math.floor(random() * 250)}`);
    const fate = random() / cutShare;
    if (fate > 1) return fetch(to, { ...init, headers });
    const left = new AbortController();
    init.signal?.addEventListener("abort", () => left.abort());
    const cut = setTimeout(() => left.abort(), fate * 60);
    const { signal } = left;
    try {
      const response = await fetch(to, { ...init, headers, signal });
      await response.arrayBuffer();
    } finally {
      clearTimeout(cut);
    }
    throw new TypeError("the connection is lost");
  };
  let tokens = 0;
  const receipts = new Map<string, string>();
  const pay = async (index: number): Promise<void> => {
    const customer = `c${index % 8}`;
    const token = () => `customer ${customer}, token ${(tokens += 1)}`;
    const payments = guide.browser.openClient(send, token);
    const form = { to: `payee ${index}`, cents: 1 + (index % 900) };
    const id = `draft ${Math.floor(index / 2)}`;
    const draft = { ...form, id, sentAt: Date.now() };
    const stored = new Map([[`payment of ${customer}`, JSON.stringify(draft)]]);
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    };
    const submit = () =>
      guide.browser.submit(payments, storage, customer, form);
    // A person who gets no answer opens the page and submits the draft again.
    while (stored.size > 0) {
      const clicks = random() < doubleShare ? [submit(), submit()] : [submit()];
      for (const outcome of await Promise.allSettled(clicks)) {
        if (outcome.status === "rejected") continue;
        const known = receipts.get(form.to) ?? outcome.value;
        expect(outcome.value).toBe(known);
        receipts.set(form.to, known);
      }
    }
    expect(receipts.has(form.to)).toBe(true);
  };

  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await pay(next++);
  };
  const killing = async (): Promise<void> => {
    for (let kill = 1; kill <= kills; kill += 1) {
      const due = (count * kill) / (kills + 1);
      await expect.poll(() => next, { timeout: 600_000 }).toBeGreaterThan(due);
      await pick(random, [bank, ...servers]).restart();
    }
  };
  await Promise.all([killing(), ...Array.from({ length: concurrency }, work)]);
  await expectEachOnce(database.url, count, receipts);
}

/** Expects one transfer and one payment for each payee, with its receipt. */
async function expectEachOnce(
  connectionString: string,
  count: number,
  receipts: ReadonlyMap<string, string>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString });
  const { rows } = await pool.query(
    `SELECT recipient, cents, customer, 'transfer ' || t.id AS receipt
     FROM transfers t FULL JOIN payments p ON p.receipt = 'transfer ' || t.id`,
  );
  await pool.end();
  const made = rows.map(({ recipient, cents, customer, receipt }) => {
    const index = Number(String(recipient).replace("payee ", ""));
    expect(customer).toBe(`c${index % 8}`);
    expect(cents).toBe(1 + (index % 900));
    return [recipient, receipt] as const;
  });
  expect(made).toHaveLength(count);
  expect(new Map(made)).toEqual(receipts);
}
