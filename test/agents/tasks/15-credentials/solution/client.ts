import { createShopClient } from "./generated/client.js";

export function createShop(fetch: typeof globalThis.fetch, key: string) {
  return createShopClient({
    baseUrl: "http://localhost",
    fetch,
    credentials: { apiKey: key },
  });
}
