import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { createShopServer } from "./generated/server.js";
import { watch } from "./prices.js";
import { report } from "./reports.js";

const shop = createShopServer({
  tenant: ({ header }) => header("x-real-ip"),
  methods: { "Shop/Report": { maxConcurrentPerTenant: 1 } },
  handlers: {
    shop: {
      report: async () => ({ sold: await report() }),
      async *watchPrices(_request, { signal }) {
        for await (const cents of watch(signal)) yield { cents };
      },
      async uploadCover({ cover }) {
        let bytes = 0;
        for await (const part of cover.stream()) bytes += part.length;
        return { bytes };
      },
    },
  },
});

/** `main.ts` lets it listen at the port 8080. */
export const http = createServer(toNodeHandler(shop));

// Longer than nginx keeps idle connections.
http.keepAliveTimeout = 75_000;
