import { encodeFunctionData, getAddress, parseAbi } from "viem";

import { Batch } from "../../network/batch.js";
import { isNative } from "./currency.js";
import { createFindEnds } from "./swap-ends.js";
import {
  cheaper,
  type FindProviderRoute,
  type SwapRoute,
} from "./swap-route.js";

/** The functions of a Uniswap V2 router that quote and buy exact amounts. */
const abi = parseAbi([
  "function getAmountsIn(uint256 amountOut, address[] path) view returns (uint256[] amounts)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
]);

/**
 * Creates a function that finds the cheapest route through the pools of a
 * network's Uniswap V2 router.
 */
export function createFindV2Route(): FindProviderRoute {
  const findEnds = createFindEnds("WETH");
  return async (swap, purchase, sellCurrency, blockHash) => {
    if (swap.router === null) return null;
    const { buyAmount, buyCurrency, network } = purchase;
    const router = getAddress(swap.router);
    const ends = await findEnds(router, purchase, sellCurrency);
    if (ends === null) return null;
    const { between, bought, sold } = ends;
    const batch = new Batch(network);
    const ways = [[], ...between.map((currency) => [currency])];
    const quotes = ways.map((way) => {
      const path = [sold, ...way, bought];
      const args = [buyAmount, path] as const;
      const functionName = "getAmountsIn";
      return { path, ask: batch.ask(router, abi, functionName, args) };
    });
    await batch.runAt(blockHash);
    const routes = quotes.map(({ ask, path }): SwapRoute | null => {
      const price = ask()?.[0];
      if (price === undefined) return null;
      return {
        ...{ provider: "uniswap_v2", router, price },
        encodeSwap: ({ deadline, maxPrice, to }) => {
          if (isNative(sellCurrency)) {
            const args = [buyAmount, path, to, deadline] as const;
            const functionName = "swapETHForExactTokens";
            return encodeFunctionData({ abi, functionName, args });
          }
          const functionName = isNative(buyCurrency)
            ? "swapTokensForExactETH"
            : "swapTokensForExactTokens";
          const args = [buyAmount, maxPrice, path, to, deadline] as const;
          return encodeFunctionData({ abi, functionName, args });
        },
      };
    });
    return routes.reduce(cheaper, null);
  };
}
