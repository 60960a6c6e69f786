import { createAccountClient, createOrdersClient } from "./generated/client.js";

/** Creates the clients of a page, which call the server with its `fetch`. */
export function createClients(fetch: typeof globalThis.fetch) {
  const options = { baseUrl: "https://api.shop.example", fetch };
  return {
    account: createAccountClient(options),
    orders: createOrdersClient(options),
  };
}
