import { createOrdersServer } from "./generated/server.js";

/** All orders. The newest has the highest ID. */
export const all = Array.from({ length: 45 }, (_, index) => ({
  id: index + 1,
  customer: index % 2 === 0 ? "Ada" : "Bob",
}));

export const orders = createOrdersServer({
  handlers: {
    orders: {
      listOrders: () => ({ orders: [...all].sort((a, b) => b.id - a.id) }),
    },
  },
});
