import { strictEqual } from "node:assert";
import { createShop } from "./shop.js";

let calls = 0;
let failures = 0;
let isHanging = false;
const shop = createShop(async (_url, init) => {
  calls += 1;
  if (isHanging) {
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("late")));
    });
  }
  if (calls <= failures && calls % 2 === 0) throw new TypeError("refused");
  if (calls <= failures) return new Response(null, { status: 503 });
  return Response.json({ cents: 1, number: 7 });
});

async function attemptsOf(
  call: () => Promise<{ readonly ok: boolean }>,
  failing: number,
): Promise<string> {
  calls = 0;
  failures = failing;
  const { ok } = await call();
  return `${calls} ${ok}`;
}

const getPrice = () => shop.getPrice.result({ isbn: "1" });
const setAddress = () => shop.setAddress.result({ address: "here" });
const order = () => shop.order.result({ isbn: "1" });
strictEqual(await attemptsOf(getPrice, 2), "3 true");
strictEqual(await attemptsOf(getPrice, 9), "3 false");
strictEqual(await attemptsOf(setAddress, 1), "2 true");
strictEqual(await attemptsOf(order, 1), "1 false");
isHanging = true;
const started = Date.now();
strictEqual((await order()).ok, false);
strictEqual(Date.now() - started < 10_000, true);
