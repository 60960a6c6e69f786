import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert";
import { Browser } from "./browser.js";
import { createClients } from "./page.js";
import { sessions } from "./sessions.js";
import { shop } from "./shop.js";

const page = "https://shop.example";
const api = {
  fetch: (request: Request): Promise<Response> | Response =>
    shop.fetch(request),
};

async function outcomeOf(
  call: Promise<
    | { readonly ok: true }
    | {
        readonly ok: false;
        readonly error: { readonly name: string; readonly status: number };
      }
  >,
): Promise<string> {
  const result = await call;
  return result.ok ? "ok" : `${result.error.name} ${result.error.status}`;
}

const browserOfAda = new Browser(api);
const ada = createClients(browserOfAda.open(page));
const password = "difference engine";
strictEqual(await outcomeOf(ada.orders.listOrders.result()), "SignedOut 401");
strictEqual(
  await outcomeOf(ada.account.signIn.result({ name: "Ada", password: "a" })),
  "WrongPassword 403",
);
strictEqual(browserOfAda.cookies.size, 0);
await ada.account.signIn({ name: "Ada", password });
deepStrictEqual((await ada.orders.listOrders()).orders, [
  "the first order of Ada",
  "the second order of Ada",
]);
deepStrictEqual([...sessions.values()], ["Ada"]);

const cookie = browserOfAda.cookies.get("sid");
strictEqual(cookie !== undefined && sessions.has(cookie.value), true);
strictEqual(cookie?.attributes.has("httponly"), true);
strictEqual(cookie?.attributes.get("max-age"), "3600");
notStrictEqual(cookie?.attributes.get("samesite") ?? "none", "none");

const browserOfBob = new Browser(api);
const bob = createClients(browserOfBob.open(page));
await bob.account.signIn({ name: "Bob", password: "battery staple" });
strictEqual(
  (await bob.orders.listOrders()).orders[0],
  "the first order of Bob",
);
strictEqual(
  (await ada.orders.listOrders()).orders[0],
  "the first order of Ada",
);
const [[name, stored] = ["", cookie]] = browserOfBob.cookies;
if (stored) browserOfBob.cookies.set(name, { ...stored, value: "forged" });
strictEqual(await outcomeOf(bob.orders.listOrders.result()), "SignedOut 401");

// Other pages can neither read answers nor sign in, in the same browser.
for (const origin of [
  "https://evil.example",
  "https://blog.shop.example",
  "http://shop.example",
  "https://shop.example.evil.example",
]) {
  const other = createClients(browserOfAda.open(origin));
  strictEqual((await other.orders.listOrders.result()).ok, false);
  const signedIn = await other.account.signIn.result({ name: "Ada", password });
  strictEqual(signedIn.ok, false);
}
strictEqual(sessions.size, 2);
