import { createShopClient } from "./generated/client.js";

/** Creates a client that calls the server with `fetch`. */
export function createShop(fetch: typeof globalThis.fetch) {
  return createShopClient({
    baseUrl: "http://localhost",
    fetch: async (...args) => {
      for (let attempt = 1; attempt < 3; attempt += 1) {
        const response = await fetch(...args).catch(() => null);
        if (response?.ok) return response;
      }
      return fetch(...args);
    },
  });
}
