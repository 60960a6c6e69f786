import { getAddress } from "viem";

import type { APIHandler } from "../../../generated/api/server.js";
import type { PlatformState } from "../../keys/state.js";
import type { Platform } from "../../parts/platform.js";
import { requireBytes, requireNetwork } from "../request-fields.js";
import { createFindRoute } from "./find-route.js";
import { findSwaps } from "./find-swaps.js";
import { getLinkedWallets } from "./get-linked-wallets.js";
import { getSwapQuote } from "./get-swap-quote.js";
import { findSigner } from "./signature.js";
import { toPurchase, toSellCurrency } from "./swap-order.js";
import { requireRoute, toSwapPrice } from "./swap-price.js";
import { requireSwap } from "./swap-route.js";

/** Creates the handler for the API service. */
export function createApiHandler(
  platform: Platform,
): APIHandler<PlatformState> {
  const findRoute = createFindRoute();
  return {
    getSwapPrice: async (request) => {
      const purchase = toPurchase(platform, request);
      const sellCurrency = toSellCurrency(
        purchase,
        request.sellCurrencyAddress,
      );
      const route = await requireRoute(findRoute, purchase, sellCurrency);
      // The request contains no user address, so there is no balance.
      return { swapPrice: toSwapPrice(sellCurrency, route, purchase, 0n) };
    },

    getSwapPrices: async (request) => {
      const purchase = toPurchase(platform, request);
      requireSwap(purchase.network);
      const swaps = await findSwaps(purchase, findRoute, request.userAddress);
      return { swapPrices: swaps.map(({ price }) => price) };
    },

    getSwapQuote: (request) => getSwapQuote(platform, findRoute, request),

    isValidSignature: async (request) => {
      const signer = await findSigner({
        network: requireNetwork(platform.networks, "chainId", request.chainId),
        wallet: getAddress(request.walletAddress),
        digest: requireBytes("digest", request.digest),
        signature: requireBytes("signature", request.signature),
      });
      return { isValid: signer !== null };
    },

    getLinkedWallets: (request) => getLinkedWallets(platform, request),
  };
}
