import type { APIHandler } from "../../../generated/api/server.js";
import type { PlatformState } from "../../keys/state.js";
import type { Platform } from "../../parts/platform.js";
import { createFindRoute } from "./find-route.js";
import { getLinkedWallets } from "./get-linked-wallets.js";
import { getSwapPrice } from "./get-swap-price.js";
import { getSwapPrices } from "./get-swap-prices.js";
import { getSwapQuote } from "./get-swap-quote.js";
import { isValidSignature } from "./is-valid-signature.js";

/** Creates the handler for the API service. */
export function createApiHandler(
  platform: Platform,
): APIHandler<PlatformState> {
  const findRoute = createFindRoute();
  return {
    getSwapPrice: (request) => getSwapPrice(platform, findRoute, request),
    getSwapPrices: (request) => getSwapPrices(platform, findRoute, request),
    getSwapQuote: (request) => getSwapQuote(platform, findRoute, request),
    isValidSignature: (request) => isValidSignature(platform, request),
    getLinkedWallets: (request) => getLinkedWallets(platform, request),
  };
}
