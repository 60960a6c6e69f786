import { accessKey, getOrders, getPrice } from "../contract/messages.js";
import { generated } from "../contract/generated.js";

const { createOrdersServer } = await import(generated("server.js"));
const { NotFoundError } = await import(generated("errors.js"));

/** The server with its default options. */
export const server = createOrdersServer({
  verifyAccessKey: (key) => key === accessKey,
  handlers: {
    market: {
      getOrders,
      getPrice: (request) => {
        // The benchmark measures the cost of this error.
        if (request.tokenId === "404") throw new NotFoundError();
        return getPrice(request);
      },
    },
  },
});
