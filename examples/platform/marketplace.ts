import type { OfferFilter, Order, Page } from "../../generated/index.js";
import type { MarketplaceHandler } from "../../generated/marketplace/server.js";
import { createDemoOrder, demoOffers, type DemoOffer } from "./orders.js";
import { findChainId } from "./networks.js";

const firstPage: Page = { page: 1, pageSize: 30 };

/** Creates the marketplace handler, with the same offers on every network. */
export function createMarketplaceHandler(): MarketplaceHandler {
  return {
    getHighestPriceOfferForCollectible: (request, { parameters }) => {
      const offers = demoOffers
        .filter(({ tokenId }) => tokenId === request.tokenId)
        .map((offer) =>
          createOrder(offer, request.contractAddress, parameters["network"]),
        )
        .filter((order) => passes(order, request.filter ?? {}));
      offers.sort((one, other) => other.priceUSD - one.priceUSD);
      return { order: offers[0] ?? null };
    },

    checkoutOptionsSalesContract: ({ items }) => ({
      options: {
        swap: ["lifi"],
        // Card payments support only one collectible at a time.
        nftCheckout: items.length === 1 ? ["sardine"] : [],
        onRamp: ["transak"],
        crypto: "partially",
      },
    }),

    getOrders: ({ input, page = firstPage }, { parameters }) => {
      const found = input.flatMap(({ contractAddress, orderId, marketplace }) =>
        demoOffers
          .filter((offer) => offer.orderId === orderId)
          .map((offer) =>
            createOrder(offer, contractAddress, parameters["network"]),
          )
          .filter(
            (order) => (marketplace ?? order.marketplace) === order.marketplace,
          ),
      );
      const start = (page.page - 1) * page.pageSize;
      const end = start + page.pageSize;
      return {
        orders: found.slice(start, end),
        page: { ...page, more: end < found.length },
      };
    },
  };
}

function createOrder(
  offer: DemoOffer,
  collection: string,
  network = "mainnet",
): Order {
  return createDemoOrder(offer, collection, findChainId(network) ?? 1);
}

/** Returns whether an offer matches a filter. Empty lists match all offers. */
function passes(order: Order, filter: OfferFilter): boolean {
  return (
    includes(filter.createdBy, order.createdBy) &&
    includes(filter.marketplace, order.marketplace ?? "unknown") &&
    includes(filter.currencies, order.priceCurrencyAddress)
  );
}

function includes(wanted: readonly string[] = [], value: string): boolean {
  const lower = value.toLowerCase();
  return (
    wanted.length === 0 || wanted.some((each) => each.toLowerCase() === lower)
  );
}
