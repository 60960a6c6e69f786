// Sends a key with each call of a method with [`@idempotencyKey`](../../idempotency.md). Generated methods use it.
import { connect, type ClientMethod } from "@ridlkit/runtime/client";
import { sendKey } from "@ridlkit/runtime/codegen/idempotency-key";
import { options } from "../shop.js";

const getBook: ClientMethod<{ isbn: string }, object> = {
  path: "/rpc/Shop/GetBook",
  safety: "idempotent",
  use: [sendKey],
};
const request = { isbn: "9780262510875" };
const own = { idempotencyKey: "order 7" };
console.log(await connect(options).call(getBook, request, own));
