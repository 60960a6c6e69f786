import { list } from "../../server/contract/items.js";
import { handlers } from "../../server/contract/messages.js";
import { countBytes, streamLines } from "../../server/contract/transfers.js";

const printItem = (item) => `${JSON.stringify({ item })}\n`;

const byPath = {
  ...Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      `/${name}`,
      async (request) => Response.json(handler(await request.json())),
    ]),
  ),
  "/items": () => Response.json(list()),
  "/content": async ({ body }) =>
    Response.json({ bytes: await countBytes(body) }),
  "/Follow": () => streamLines(printItem),
};

/** Returns a handler that only parses and prints JSON. */
export const create = () => (request) =>
  byPath[new URL(request.url).pathname](request);
