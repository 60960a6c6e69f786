import { createHostsServer } from "../../.work/hosts/ridlkit/server.js";
import { list, put } from "../../server/contract/items.js";
import {
  accessKey,
  getOrders,
  getPrice,
} from "../../server/contract/messages.js";
import { countBytes, followed } from "../../server/contract/transfers.js";

/** Returns the server. */
export function createServer({ checksResponses }) {
  return createHostsServer({
    verifyAccessKey: (key) => key === accessKey,
    validateResponses: checksResponses ? "throw" : "off",
    handlers: {
      market: { getOrders, getPrice },
      items: {
        put: (request) => ({ item: put(request) }),
        list: () => ({ items: list() }),
      },
      transfers: {
        put: async ({ content }) => ({
          size: { bytes: await countBytes(content.stream()) },
        }),
        follow: async function* () {
          for (const item of followed) yield { item };
        },
      },
    },
  });
}

export const create = (options) => createServer(options).fetch;
