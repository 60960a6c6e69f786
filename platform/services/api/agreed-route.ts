import { zeroAddress } from "viem";

import { readFromMost } from "../../network/agreement/read-from-most.js";
import type { BlockHeader } from "../../network/block-header.js";
import type { FindRoute, SwapRoute } from "./swap-route.js";

/**
 * Returns a function that finds the route that most nodes of a network find at the
 * same block, because a buyer pays up to its price.
 */
export function agreeOn(findRoute: FindRoute, head: BlockHeader): FindRoute {
  return async (purchase, sellCurrency) => {
    const { network } = purchase;
    // Behind a single URL, nodes can have different last blocks.
    if (network.nodes().length === 1) return findRoute(purchase, sellCurrency);
    const { route } = await readFromMost(
      network,
      "the price of the swap",
      async (only) => {
        const asked = { ...purchase, network: only };
        return { route: await findRoute(asked, sellCurrency, head.hash) };
      },
      (found) => (found.route === null ? "" : keyOf(found.route)),
    );
    return route;
  };
}

/** Differs if the price or any part of the router's call does. */
function keyOf({ encodeSwap, price, router }: SwapRoute): string {
  const terms = { to: zeroAddress, maxPrice: price, deadline: 0n };
  return [router, price, encodeSwap(terms)].join();
}
