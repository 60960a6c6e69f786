import { expect } from "vitest";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import type { Ready } from "../load/spawned-platform.js";
import { callOf, postRelaying, signCall } from "./relaying.js";

const { user } = createFixtureAccounts();

/** A project of a running platform, as its users see it. */
export interface PublicProject {
  readonly client: PlatformClient;
  /** Addresses that are linked to the fixtures' user. */
  listLinkedWallets(): Promise<readonly string[]>;
  /** Relays a call from the fixtures' wallet, paid from the gas tank. */
  relay(): Promise<void>;
  /** Makes a token contract emit a transfer. */
  pay(): Promise<void>;
}

/** Opens a project with its keys. */
export function openPublicProject(
  ready: Ready,
  accessKey: string,
  secret: string,
): PublicProject {
  const { baseUrl, chainId, chainUrl, fixtures, network, services } = ready;
  const client = createPlatformClient({
    hosts: services,
    parameters: { network },
    credentials: { accessKey, secret },
  });
  const post = (method: "Relay" | "GetRelay", message: object) =>
    postRelaying({ accessKey, baseUrl }, method, message);
  return {
    client,
    listLinkedWallets: async () => {
      const message = "This is my wallet.";
      const { linkedWallets } = await client.api.getLinkedWallets({
        parentWalletAddress: user.address,
        parentWalletMessage: message,
        parentWalletSignature: await user.signMessage({ message }),
        signatureChainId: String(chainId),
      });
      return linkedWallets.map((each) => each.linkedWalletAddress);
    },
    relay: async () => {
      const answer = await post(
        "Relay",
        await signCall(chainId, callOf(fixtures.wallet)),
      );
      expect(answer).toMatchObject({ relay: { id: expect.anything() } });
      await expect
        .poll(() => post("GetRelay", { id: answer.relay.id }))
        .toMatchObject({ relay: { status: "done" } });
    },
    pay: async () => {
      await openChainWallet(chainUrl, chainId, user).writeContractSync({
        ...{ address: fixtures.dollar, abi: fixtureCoin.abi },
        ...{ functionName: "transfer", args: [fixtures.other, 1n] },
      });
    },
  };
}
