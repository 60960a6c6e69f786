import { getAddress, hashMessage } from "viem";

import type {
  GetLinkedWalletsRequest,
  GetLinkedWalletsResponse,
} from "../../../generated/api/types.js";
import { PermissionDeniedError } from "../../../generated/errors.js";
import type { Platform } from "../../platform.js";
import { requireNetwork } from "../../network/require-network.js";
import { isSignedBy, requireBytes } from "./signature.js";

/**
 * The wallets linked to a parent wallet that proves itself by its signature.
 *
 * Errors: `PermissionDenied` when the signature is not the parent wallet's,
 * `InvalidArgument`, `Unavailable` when the chain does not answer.
 */
export async function getLinkedWallets(
  { database, networks }: Platform,
  request: GetLinkedWalletsRequest,
): Promise<GetLinkedWalletsResponse> {
  const { parentWalletAddress, parentWalletSignature } = request;
  const isProved = await isSignedBy({
    network: requireNetwork(
      networks,
      "signatureChainId",
      request.signatureChainId,
    ),
    wallet: getAddress(parentWalletAddress),
    digest: hashMessage(request.parentWalletMessage),
    signature: requireBytes("parentWalletSignature", parentWalletSignature),
  });
  if (!isProved) {
    const cause = "parentWalletSignature: not that of the parent wallet";
    throw new PermissionDeniedError({ cause });
  }
  const rows = await database
    .selectFrom("linked_wallets")
    .selectAll()
    .where("wallet_address", "=", parentWalletAddress.toLowerCase())
    .orderBy("id")
    .execute();
  return {
    linkedWallets: rows.map((row) => ({
      id: row.id,
      walletAddress: row.wallet_address,
      linkedWalletAddress: row.linked_wallet_address,
      ...(row.wallet_type !== null && { walletType: row.wallet_type }),
      createdAt: row.created_at.toISOString(),
    })),
  };
}
