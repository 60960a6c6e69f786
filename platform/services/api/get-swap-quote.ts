import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  hexToBigInt,
  maxUint256,
} from "viem";

import type {
  GetSwapQuoteRequest,
  GetSwapQuoteResponse,
} from "../../../generated/api/types.js";
import { QueryFailedError } from "../../../generated/errors.js";
import { approvalProbe } from "../../chain/artifacts/approval-probe.js";
import { readHeadOfMost } from "../../network/agreement/read-from-most.js";
import { momentAt } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import type { Platform } from "../../parts/platform.js";
import { agreeOn } from "./agreed-route.js";
import { isNative } from "./currency.js";
import { type Purchase, toPurchase, toSellCurrency } from "./swap-order.js";
import {
  maxPriceOf,
  readBalance,
  requireRoute,
  toSwapPrice,
} from "./swap-price.js";
import type { FindRoute, SwapRoute } from "./swap-route.js";

/** How long a quote remains valid, in seconds of chain time. */
const validForSeconds = 20n * 60n;

/**
 * Returns the transaction that buys an amount of one currency with another. The
 * transaction pays the price at execution time, up to `maxPrice`, and refunds
 * any unspent native currency.
 *
 * Errors: `InvalidArgument`, `QueryFailed` if there is no route or no possible
 * approval, `Unavailable` if no router is known, the chain does not
 * respond, or its nodes do not report the same price.
 */
export async function getSwapQuote(
  platform: Platform,
  findRoute: FindRoute,
  request: GetSwapQuoteRequest,
): Promise<GetSwapQuoteResponse> {
  const purchase = toPurchase(platform, request);
  const sellCurrency = toSellCurrency(purchase, request.sellCurrencyAddress);
  const { network } = purchase;
  const head = await readHeadOfMost(network);
  const [route, balance] = await Promise.all([
    requireRoute(agreeOn(findRoute, head), purchase, sellCurrency),
    readBalance(network, sellCurrency, request.userAddress),
  ]);
  const { time } = momentAt(head);
  const approveData =
    request.includeApprove && !isNative(sellCurrency)
      ? await approvalOf(purchase, sellCurrency, route, request.userAddress)
      : "";
  return {
    swapQuote: {
      ...toSwapPrice(sellCurrency, route, purchase, balance),
      to: route.router,
      transactionData: route.encodeSwap({
        to: getAddress(request.userAddress),
        maxPrice: maxPriceOf(route.price, purchase.slippagePercentage),
        deadline: time + validForSeconds,
      }),
      approveData,
    },
  };
}

/**
 * Returns the call data that approves `maxPrice` for the router. Some
 * currencies do not allow replacing a nonzero allowance, which a swap can leave
 * behind. For such a currency, the call approves the maximum amount once.
 *
 * Returns an empty string if the router already has a sufficient allowance.
 * Errors: `QueryFailed` if the router already has a smaller nonzero allowance
 * for such a currency; `Unavailable` if the chain does not respond.
 */
async function approvalOf(
  { network, slippagePercentage }: Purchase,
  sellCurrency: string,
  { router, price }: SwapRoute,
  user: string,
): Promise<string> {
  const maxPrice = maxPriceOf(price, slippagePercentage);
  const currency = getAddress(sellCurrency);
  const [allowance, isReplaced] = await Promise.all([
    readChain(network, (client) =>
      client.readContract({
        address: currency,
        abi: erc20Abi,
        functionName: "allowance",
        args: [getAddress(user), router],
      }),
    ),
    replacesAllowances(network, currency),
  ]);
  if (allowance !== null && allowance >= maxPrice) return "";
  if (!isReplaced && allowance !== null && allowance > 0n) {
    const cause = `${sellCurrency} refuses to replace the allowance of ${router}: set it to 0 first`;
    throw new QueryFailedError({ cause });
  }
  return encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [router, isReplaced ? maxPrice : maxUint256],
  });
}

/** Returns whether a currency allows replacing a nonzero allowance. */
async function replacesAllowances(
  network: Network,
  currency: Address,
): Promise<boolean> {
  const data = encodeDeployData({ ...approvalProbe, args: [currency] });
  const result = await readChain(network, (client) => client.call({ data }));
  return result?.data === undefined || hexToBigInt(result.data) !== 0n;
}
