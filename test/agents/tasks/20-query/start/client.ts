import type { Fetch } from "@ridlkit/runtime/client";
import { createShopClient } from "./generated/client.js";

/** How the client calls the server. */
export const transport: { fetch: Fetch } = {
  fetch: (...args) => globalThis.fetch(...args),
};

export const client = createShopClient({
  baseUrl: "http://localhost",
  fetch: (...args) => transport.fetch(...args),
});
