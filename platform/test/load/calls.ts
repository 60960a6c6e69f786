import { hashMessage } from "viem";

import { createFixtureAccounts } from "../../chain/accounts.js";
import type { LoadCall } from "./send-load.js";
import type { Ready } from "./spawned-platform.js";

/**
 * Creates the calls that the load tests make. They use the demo project and the
 * fixtures, and succeed.
 */
export async function createCalls(
  ready: Ready,
): Promise<Record<"orders" | "metadata" | "signature", LoadCall>> {
  const { accessKey, baseUrl, fixtures, network } = ready;
  const headers = { "x-access-key": accessKey };
  const { user } = createFixtureAccounts();
  const message = "These wallets are mine.";
  const contractAddress = fixtures.collectible;
  return {
    orders: {
      name: "GetOrders",
      ...{ baseUrl, headers, path: `/${network}/rpc/Marketplace/GetOrders` },
      message: {
        input: [fixtures.listing, fixtures.offer].map((orderId) => ({
          ...{ contractAddress, orderId },
        })),
      },
    },
    metadata: {
      name: "GetTokenMetadata",
      ...{ baseUrl, headers, path: "/rpc/Metadata/GetTokenMetadata" },
      message: { chainID: network, contractAddress, tokenIDs: ["1", "2"] },
    },
    signature: {
      name: "IsValidSignature",
      ...{ baseUrl, headers, path: "/rpc/API/IsValidSignature" },
      message: {
        chainId: network,
        walletAddress: user.address,
        digest: hashMessage(message),
        signature: await user.signMessage({ message }),
      },
    },
  };
}
