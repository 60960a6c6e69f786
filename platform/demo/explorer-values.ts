import type { ExplorerValues } from "@ridlkit/runtime/explorer";

import type { Fixtures } from "../chain/fixtures.js";

/**
 * Returns the initial values of the explorer's forms. They refer to the
 * embedded chain, so that calls find data. None of them is secret.
 */
export function createExplorerValues(
  fixtures: ShownFixtures,
  { chainId, network, projectId }: DemoPlace,
): ExplorerValues {
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

/** The fixtures of the embedded chain that are shown. */
type ShownFixtures = Pick<
  Fixtures,
  "collectible" | "dollar" | "listing" | "user" | "wallet" | "wrappedNative"
>;

/** Identifies the demo project and its network. */
interface DemoPlace {
  readonly chainId: number;
  /** The handle of the embedded chain's network. */
  readonly network: string;
  readonly projectId: number;
}
