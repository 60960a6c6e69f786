import { InvalidCursorError } from "./generated/errors.js";
import { createOrdersServer } from "./generated/server.js";

/** All orders. The newest has the highest ID. */
export const all = Array.from({ length: 45 }, (_, index) => ({
  id: index + 1,
  customer: index % 2 === 0 ? "Ada" : "Bob",
}));

function readCursor(cursor: string): number {
  const id = Number(cursor);
  if (Number.isInteger(id)) return id;
  throw new InvalidCursorError();
}

export const orders = createOrdersServer({
  handlers: {
    orders: {
      listOrders({ cursor, size = 20 }) {
        const before = cursor === undefined ? Infinity : readCursor(cursor);
        const found = all
          .filter(({ id }) => id < before)
          .sort((a, b) => b.id - a.id);
        const page = found.slice(0, size);
        const last = page.at(-1);
        return found.length > size && last
          ? { orders: page, nextCursor: String(last.id) }
          : { orders: page };
      },
    },
  },
});
