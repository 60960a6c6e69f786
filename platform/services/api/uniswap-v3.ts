import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  parseAbi,
} from "viem";

import { Batch } from "../../network/batch.js";
import { isNative } from "./currency.js";
import { createFindEnds } from "./swap-ends.js";
import {
  cheaper,
  type FindProviderRoute,
  type SwapTerms,
} from "./swap-route.js";

/**
 * The function that `Quoter` and `QuoterV2` share. The latter returns more
 * values after the first one.
 */
const quoterAbi = parseAbi([
  "function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn)",
]);

/** The functions of `SwapRouter02` that buy exact amounts. */
const routerAbi = parseAbi([
  "struct ExactOutput { bytes path; address recipient; uint256 amountOut; uint256 amountInMaximum; }",
  "function exactOutput(ExactOutput params) payable returns (uint256 amountIn)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)",
]);

/** Pool fees in millionths. */
const feeTiers = [100, 500, 3000, 10_000];

/** The recipient that represents the router itself. */
const routerItself = "0x0000000000000000000000000000000000000002";

/** A path from a currency to the one that is bought. */
interface Way {
  readonly from: Address;
  /**
   * The path in the router's format: currencies and fees, starting with the
   * bought currency.
   */
  readonly path: Hex;
  /** The price of the bought amount, in the currency `from`. */
  readonly price: bigint;
}

/**
 * Creates a function that finds routes through Uniswap V3 on a network. The
 * last pool of a route determines the required output of the pool before it, so
 * the search finds the best pools one by one, starting from the end.
 */
export function createFindV3Route(): FindProviderRoute {
  const findEnds = createFindEnds("WETH9");
  return async (swap, purchase, sellCurrency, blockHash) => {
    if (swap.v3 === null) return null;
    const { buyAmount, buyCurrency, network } = purchase;
    const router = getAddress(swap.v3.router);
    const quoter = getAddress(swap.v3.quoter);
    const ends = await findEnds(router, purchase, sellCurrency);
    if (ends === null) return null;
    const { between, bought, sold } = ends;
    /**
     * Extends each path by a hop from another currency, through the cheapest
     * pool. Leaves out hops without a pool.
     */
    const extend = async (
      hops: readonly (readonly [from: Address, way: Way])[],
    ): Promise<readonly Way[]> => {
      const batch = new Batch(network);
      const quotes = hops.map(([from, way]) =>
        feeTiers.map((fee) => {
          const hop = [numberToHex(fee, { size: 3 }), from] as const;
          const ask = batch.ask(quoter, quoterAbi, "quoteExactOutput", [
            concat([way.from, ...hop]),
            way.price,
          ]);
          return { from, path: concat([way.path, ...hop]), ask };
        }),
      );
      await batch.runAt(blockHash);
      return quotes.flatMap((tiers) => {
        const ways = tiers.map(({ ask, ...way }): Way | null => {
          const price = ask();
          return price === null ? null : { ...way, price };
        });
        return ways.reduce(cheaper, null) ?? [];
      });
    };
    const start = { from: bought, path: bought, price: buyAmount };
    const last = await extend(
      [sold, ...between].map((from) => [from, start] as const),
    );
    const direct = last.filter(({ from }) => from === sold);
    const others = last.filter(({ from }) => from !== sold);
    const longer = await extend(others.map((way) => [sold, way] as const));
    const best = [...direct, ...longer].reduce<Way | null>(cheaper, null);
    if (best === null) return null;
    return {
      ...{ provider: "uniswap_v3", router, price: best.price },
      encodeSwap: (terms) =>
        encodeSwap(best.path, buyAmount, terms, {
          isNativeSold: isNative(sellCurrency),
          isNativeBought: isNative(buyCurrency),
        }),
    };
  };
}

function encodeSwap(
  path: Hex,
  amountOut: bigint,
  { deadline, maxPrice, to }: SwapTerms,
  {
    isNativeBought,
    isNativeSold,
  }: { readonly isNativeBought: boolean; readonly isNativeSold: boolean },
): Hex {
  const abi = routerAbi;
  const recipient = isNativeBought ? routerItself : to;
  const swap = { path, recipient, amountOut, amountInMaximum: maxPrice };
  const calls = [
    encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] }),
  ];
  if (isNativeBought) {
    const args = [amountOut, to] as const;
    calls.push(encodeFunctionData({ abi, functionName: "unwrapWETH9", args }));
  }
  if (isNativeSold) {
    calls.push(encodeFunctionData({ abi, functionName: "refundETH" }));
  }
  const args = [deadline, calls] as const;
  return encodeFunctionData({ abi, functionName: "multicall", args });
}
