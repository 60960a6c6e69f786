import { deepStrictEqual, rejects, strictEqual } from "node:assert";
import { isRpcError } from "@ridlkit/runtime/errors";
import { createPaymentsClient } from "./generated/client.js";
import { ledger } from "./ledger.js";
import { createPage } from "./page.js";
import { payments } from "./server.js";

/** The keys of all requests so far. */
const keys: string[] = [];
/** How many of the next answers are lost. */
let lost = 0;

const fetch: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  keys.push(request.headers.get("idempotency-key") ?? "");
  const response = await payments.fetch(request);
  if (lost === 0) return response;
  lost -= 1;
  throw new TypeError("the connection is lost");
};

const stored = new Map<string, string>();
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, text: string) => void stored.set(name, text),
  removeItem: (name: string) => void stored.delete(name),
};
let tokens = 0;

/** Opens the page, with a token that each request renews. */
function open(customer: string) {
  const token = () => `${customer} ${(tokens += 1)}`;
  return createPage({ customer, token, storage, fetch });
}

const page = open("ada");
const form = { to: "Grace", cents: 500 };

// The first answer is lost.
lost = 1;
strictEqual(await page.submit(form), "receipt 1");
deepStrictEqual([ledger.length, keys.length, new Set(keys).size], [1, 2, 1]);

// An equal payment is another one. All of its answers are lost.
lost = 3;
await rejects(page.submit(form));
deepStrictEqual([ledger.length, keys.length, new Set(keys).size], [2, 5, 2]);
await rejects(page.submit({ ...form, cents: 700 }));
await rejects(open("ada").submit({ ...form, to: "Eve" }));
strictEqual(ledger.length, 2);

// Bob uses the same browser before Ada comes back.
const bob = open("bob");
strictEqual(await bob.submit({ ...form, cents: 100 }), "receipt 3");
strictEqual(await open("ada").submit(form), "receipt 2");
strictEqual(ledger.length, 3);

// Two clicks are one payment. The next click is another one.
deepStrictEqual(await Promise.all([page.submit(form), page.submit(form)]), [
  "receipt 4",
  "receipt 4",
]);
strictEqual(await page.submit(form), "receipt 5");
strictEqual(ledger.length, 5);

// A refused payment does not stand in the way.
await rejects(page.submit({ ...form, cents: 200_000 }), (error) =>
  isRpcError(error, "OverLimit"),
);
strictEqual(await page.submit({ ...form, cents: 700 }), "receipt 6");

// A key is worth nothing to others.
const key = JSON.parse(keys[0] ?? "");
const eve = createPaymentsClient({
  ...{ baseUrl: "http://localhost", fetch },
  credentials: { token: "eve 1" },
});
strictEqual(
  (await eve.pay(form, { idempotencyKey: key })).receipt,
  "receipt 7",
);
deepStrictEqual(
  ledger.map(({ customer, cents }) => `${customer} ${cents}`),
  ["ada 500", "ada 500", "bob 100", "ada 500", "ada 500", "ada 700", "eve 500"],
);

const bare = await payments.fetch(
  new Request("http://localhost/rpc/Payments/Pay", {
    method: "POST",
    headers: {
      authorization: "Bearer ada 1",
      "content-type": "application/json",
    },
    body: JSON.stringify(form),
  }),
);
deepStrictEqual([bare.status, ledger.length], [400, 7]);
