import { NotFoundError } from "../../../generated/errors.js";
import type { MarketplaceHandler } from "../../../generated/marketplace/server.js";
import type { PlatformState } from "../../keys/state.js";
import type { Platform } from "../../parts/platform.js";
import { getCheckoutOptions } from "./checkout-options.js";
import { getHighestPriceOffer } from "./get-highest-offer.js";
import { getOrders } from "./get-orders.js";
import { createMarket } from "./market.js";

/**
 * Creates the handler for the Marketplace service on the network in the path.
 */
export function createMarketplaceHandler(
  platform: Platform,
): MarketplaceHandler<PlatformState> {
  const market = createMarket(platform);
  const networkOf = ({ network = "" }: Readonly<Record<string, string>>) => {
    const found = platform.networks.find(network);
    // The server already rejects paths of unknown networks.
    if (found === null) throw new NotFoundError({ cause: "network" });
    return found;
  };
  return {
    getHighestPriceOfferForCollectible: (request, { parameters }) =>
      getHighestPriceOffer(market, networkOf(parameters), request),
    checkoutOptionsSalesContract: (request, { parameters }) =>
      getCheckoutOptions(market, networkOf(parameters), request),
    getOrders: (request, { parameters }) =>
      getOrders(market, networkOf(parameters), request),
  };
}
