import { hashMessage } from "viem";

import { createFixtureAccounts } from "../chain/accounts.js";
import type { LoadCall } from "./send-load.js";
import type { Ready } from "./spawned-platform.js";

/** The calls that the load tests make. */
export interface LoadCalls {
  readonly orders: LoadCall;
  readonly metadata: LoadCall;
  readonly signature: LoadCall;
}

/** Creates calls that succeed, using the demo project and the fixtures. */
export async function createCalls(ready: Ready): Promise<LoadCalls> {
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
