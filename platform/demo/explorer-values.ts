import type { ExplorerValues } from "@ridlkit/runtime/explorer";

import type { Fixtures } from "../chain/fixtures.js";

/**
 * What the forms of the explorer start with: things of the embedded chain, so
 * that calls find something. None of it is secret.
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

/** What of the embedded chain is shown. */
type ShownFixtures = Pick<
  Fixtures,
  "collectible" | "dollar" | "listing" | "user" | "wallet" | "wrappedNative"
>;

/** Where the demo project is. */
interface DemoPlace {
  readonly chainId: number;
  /** Handle of the network of the embedded chain. */
  readonly network: string;
  readonly projectId: number;
}
