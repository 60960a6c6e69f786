import type { ExplorerValues } from "@ridlkit/runtime/explorer";

import type { Fixtures } from "../chain/fixtures.js";

/**
 * Returns the initial values of the explorer's forms. They refer to the
 * embedded chain, so that calls find data. None of them is secret.
 *
 * Input: the fixtures that are shown, and the demo project with the chain ID and
 * the handle of the embedded chain's network.
 */
export function createExplorerValues(
  fixtures: Pick<
    Fixtures,
    "collectible" | "dollar" | "listing" | "user" | "wallet" | "wrappedNative"
  >,
  place: {
    readonly chainId: number;
    readonly network: string;
    readonly projectId: number;
  },
): ExplorerValues {
  const { chainId, network, projectId } = place;
  const { collectible, dollar, listing, user, wallet, wrappedNative } =
    fixtures;
  return {
    fields: {
      projectId,
      chainId,
      chainID: network,
      network,
      contractAddress: collectible,
      contractAddresses: [collectible],
      tokenId: "1",
      tokenIDs: ["1", "2"],
      orderId: listing,
      address: user,
      userAddress: user,
      wallet: user,
      buyCurrencyAddress: dollar,
      sellCurrencyAddress: wrappedNative,
      buyAmount: "1000000",
    },
    requests: {
      "API.IsValidSignature": { chainId: network, walletAddress: wallet },
    },
  };
}
