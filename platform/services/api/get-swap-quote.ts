import { encodeFunctionData, erc20Abi, getAddress, type Hex } from "viem";

import type {
  GetSwapQuoteRequest,
  GetSwapQuoteResponse,
} from "../../../generated/api/types.js";
import { readMoment } from "../../network/moment.js";
import { readChain } from "../../network/read-chain.js";
import type { Platform } from "../../platform.js";
import { isNative } from "./currency.js";
import { routerAbi } from "./router-abi.js";
import { type Purchase, toPurchase, toSellCurrency } from "./swap-order.js";
import {
  maxPriceOf,
  readBalance,
  requireRoute,
  toSwapPrice,
} from "./swap-price.js";
import type { FindRoute, SwapRoute } from "./swap-route.js";

/** For how long a quote can be executed, in seconds of the chain's time. */
const validForSeconds = 20n * 60n;

/**
 * The transaction that buys an amount of one currency with another. It takes
 * what the pools ask for when it is executed, at most `maxPrice`; native
 * currency that is sent along and not needed comes back.
 *
 * Errors: `InvalidArgument`, `QueryFailed` when there is no route,
 * `Unavailable` when the chain does not answer.
 */
export async function getSwapQuote(
  platform: Platform,
  findRoute: FindRoute,
  request: GetSwapQuoteRequest,
): Promise<GetSwapQuoteResponse> {
  const purchase = toPurchase(platform, request);
  const sellCurrency = toSellCurrency(purchase, request.sellCurrencyAddress);
  const { network } = purchase;
  const [route, balance, { time }] = await Promise.all([
    requireRoute(findRoute, purchase, sellCurrency),
    readBalance(network, sellCurrency, request.userAddress),
    readMoment(network),
  ]);
  const approveData =
    request.includeApprove && !isNative(sellCurrency)
      ? await approvalOf(purchase, sellCurrency, route, request.userAddress)
      : "";
  return {
    swapQuote: {
      ...toSwapPrice(sellCurrency, route, purchase, balance),
      to: route.router,
      transactionData: encodeSwap(
        purchase,
        sellCurrency,
        route,
        request.userAddress,
        time + validForSeconds,
      ),
      approveData,
    },
  };
}

function encodeSwap(
  purchase: Purchase,
  sellCurrency: string,
  { path, price }: SwapRoute,
  user: string,
  deadline: bigint,
): Hex {
  const { buyAmount, buyCurrency, slippagePercentage } = purchase;
  const to = getAddress(user);
  const maxPrice = maxPriceOf(price, slippagePercentage);
  if (isNative(sellCurrency)) {
    return encodeFunctionData({
      abi: routerAbi,
      functionName: "swapETHForExactTokens",
      args: [buyAmount, path, to, deadline],
    });
  }
  return encodeFunctionData({
    abi: routerAbi,
    functionName: isNative(buyCurrency)
      ? "swapTokensForExactETH"
      : "swapTokensForExactTokens",
    args: [buyAmount, maxPrice, path, to, deadline],
  });
}

/** Empty where the router may take that much already. */
async function approvalOf(
  { network, slippagePercentage }: Purchase,
  sellCurrency: string,
  { router, price }: SwapRoute,
  user: string,
): Promise<string> {
  const maxPrice = maxPriceOf(price, slippagePercentage);
  const allowance = await readChain(network, (client) =>
    client.readContract({
      address: getAddress(sellCurrency),
      abi: erc20Abi,
      functionName: "allowance",
      args: [getAddress(user), router],
    }),
  );
  if (allowance !== null && allowance >= maxPrice) return "";
  return encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [router, maxPrice],
  });
}
