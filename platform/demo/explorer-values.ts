import type { ExplorerValues } from "@ridlkit/runtime/explorer";

import type { Fixtures } from "../chain/fixtures.js";
import type { RunningDemo } from "../parts/running-platform.js";
import type { Settings } from "../settings/read-settings.js";

type ShownFixtures = Pick<
  Fixtures,
  "collectible" | "dollar" | "listing" | "user" | "wallet" | "wrappedNative"
>;

/**
 * Returns the initial values of the explorer's forms. They refer to the
 * embedded chain, so that calls find data. None of them is secret.
 */
export function createExplorerValues(
  {
    defaultNetwork,
    embeddedChain,
  }: Pick<Settings, "defaultNetwork" | "embeddedChain">,
  { id: projectId }: Pick<RunningDemo, "id">,
  { chainId, fixtures }: { chainId: number; fixtures: ShownFixtures },
): ExplorerValues {
  const network = embeddedChain ?? defaultNetwork;
  const { collectible, user } = fixtures;
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
      orderId: fixtures.listing,
      address: user,
      userAddress: user,
      wallet: user,
      buyCurrencyAddress: fixtures.dollar,
      sellCurrencyAddress: fixtures.wrappedNative,
      buyAmount: "1000000",
    },
    requests: {
      "API.IsValidSignature": {
        chainId: network,
        walletAddress: fixtures.wallet,
      },
    },
  };
}
