import { createShopClient } from "./generated/client.js";

export function createShop(fetch: typeof globalThis.fetch, _key: string) {
  return createShopClient({ baseUrl: "http://localhost", fetch });
}
