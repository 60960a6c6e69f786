import { deepStrictEqual } from "node:assert";
import { OrderNotFoundError } from "./generated/errors.js";
import { createOrdersServer } from "./generated/server.js";

const orders = createOrdersServer({
  handlers: {
    orders: {
      placeOrder({ order }) {
        if (order.total === 0) throw new OrderNotFoundError();
        return { number: 7 };
      },
    },
  },
});

async function place(change: object): Promise<number> {
  const order = { code: "ABCD1234", order_lines: ["one"], total: 1, ...change };
  const response = await orders.fetch(
    new Request("http://localhost/rpc/Orders/PlaceOrder", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ order }),
    }),
  );
  return response.status;
}

const lines = (count: number) => ({
  order_lines: Array.from({ length: count }, () => "one"),
});
deepStrictEqual(
  [
    await place({}),
    await place(lines(50)),
    await place(lines(51)),
    await place({ code: "ABCD12345" }),
    await place({ code: "abcd1234" }),
    await place({ total: 2 ** 53 - 1 }),
  ],
  [200, 200, 400, 400, 400, 200],
);
