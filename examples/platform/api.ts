import {
  PermissionDeniedError,
  type LinkedWallet,
  type SwapPrice,
} from "../../generated/index.js";
import type { APIHandler } from "../../generated/api/server.js";
import { requireChainId } from "./networks.js";

const nativeCurrency = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/** Another address that represents the native currency. */
const zeroAddress = `0x${"0".repeat(40)}`;
const stableCoin = "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359";
const router = "0x1111111254eeb25477b68fb85ed929f73a960582";

/** The length of a plain account's signature: `0x` and 65 bytes in hex. */
const signatureLength = 2 + 2 * 65;

/** Creates the handler for the API service, with made-up prices. */
export function createApiHandler(): APIHandler {
  return {
    getSwapPrice: ({ sellCurrencyAddress, buyAmount, slippagePercentage }) => ({
      swapPrice: priceIn(sellCurrencyAddress, buyAmount, slippagePercentage),
    }),

    getSwapPrices: (request) => ({
      swapPrices: [nativeCurrency, stableCoin]
        .filter(
          (currency) => !isSameCurrency(currency, request.buyCurrencyAddress),
        )
        .map((currency) =>
          priceIn(currency, request.buyAmount, request.slippagePercentage),
        ),
    }),

    getSwapQuote: (request) => {
      const { sellCurrencyAddress, buyAmount, slippagePercentage } = request;
      const price = priceIn(sellCurrencyAddress, buyAmount, slippagePercentage);
      const needsApproval =
        request.includeApprove && !isNative(sellCurrencyAddress);
      return {
        swapQuote: {
          currencyAddress: price.currencyAddress,
          currencyBalance: price.currencyBalance,
          price: price.price,
          maxPrice: price.maxPrice,
          to: router,
          transactionData: `0x12aa3caf${word(request.userAddress)}${word(buyAmount)}`,
          transactionValue: price.transactionValue,
          approveData: needsApproval
            ? `0x095ea7b3${word(router)}${word(price.maxPrice)}`
            : "",
        },
      };
    },

    // The example has no chain, so it only checks the signature's length.
    isValidSignature: ({ chainId, signature }) => {
      requireChainId("chainId", chainId);
      return { isValid: signature.length === signatureLength };
    },

    getLinkedWallets: (request) => {
      requireChainId("signatureChainId", request.signatureChainId);
      if (request.parentWalletSignature.length !== signatureLength) {
        const cause =
          "parentWalletSignature: not a signature of the parent wallet";
        throw new PermissionDeniedError({ cause });
      }
      return { linkedWallets: [linkedWalletOf(request.parentWalletAddress)] };
    },
  };
}

/** Returns a one-to-one price plus 0.3 percent, for any currencies. */
function priceIn(
  currencyAddress: string,
  buyAmount: string,
  slippagePercentage = 3,
): SwapPrice {
  const price = (BigInt(buyAmount) * 1003n) / 1000n;
  const basisPoints = BigInt(Math.round(slippagePercentage * 100));
  const maxPrice = (price * (10_000n + basisPoints)) / 10_000n;
  return {
    currencyAddress,
    currencyBalance: "0",
    price: price.toString(),
    maxPrice: maxPrice.toString(),
    transactionValue: isNative(currencyAddress) ? maxPrice.toString() : "0",
  };
}

/** Encodes a number or an address as 32 bytes of call data. */
function word(value: string): string {
  return BigInt(value).toString(16).padStart(64, "0");
}

function linkedWalletOf(parent: string): LinkedWallet {
  const digits = [...parent.slice(2).toLowerCase()].reverse().join("");
  return {
    id: 1,
    walletAddress: parent.toLowerCase(),
    linkedWalletAddress: `0x${digits}`,
    walletType: "EOA",
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

function isNative(currency: string): boolean {
  return [nativeCurrency, zeroAddress].some((each) => isSame(each, currency));
}

function isSameCurrency(one: string, other: string): boolean {
  return isSame(one, other) || (isNative(one) && isNative(other));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
