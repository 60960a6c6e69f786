import { retry } from "@ridlkit/runtime/interceptors";
import { createShopClient } from "./generated/client.js";

/** Creates a client that calls the server with `fetch`. */
export function createShop(fetch: typeof globalThis.fetch) {
  return createShopClient({
    baseUrl: "http://localhost",
    fetch,
    timeoutMs: 2000,
    use: [retry({ attempts: 3, backoffMs: 10 })],
  });
}
