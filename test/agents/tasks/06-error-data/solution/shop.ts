import { SoldOutError } from "./generated/errors.js";
import { createShopServer } from "./generated/server.js";

const stock = new Map([
  ["1", { left: 3, restocked: undefined }],
  ["2", { left: 0, restocked: "2026-12-01T00:00:00Z" }],
]);

export const shop = createShopServer({
  handlers: {
    shop: {
      order({ isbn, count }) {
        const book = stock.get(isbn);
        const { left, restocked } = book ?? { left: 0 };
        if (left < count) {
          throw new SoldOutError({
            data: { left, ...(restocked !== undefined && { restocked }) },
          });
        }
        return { number: 7 };
      },
    },
  },
});
