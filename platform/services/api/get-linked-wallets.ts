import { type Address, getAddress, hashMessage } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";

import type {
  GetLinkedWalletsRequest,
  GetLinkedWalletsResponse,
} from "../../../generated/api/types.js";
import { PermissionDeniedError } from "../../../generated/errors.js";
import { readInPieces } from "../../database/pieces.js";
import type { Row } from "../../database/schema.js";
import type { Platform } from "../../parts/platform.js";
import { requireBytes, requireNetwork } from "../request-fields.js";
import { findSigner } from "./signature.js";

/**
 * Returns the wallets linked to a parent wallet. The parent proves its identity
 * with a signature.
 *
 * Errors: `PermissionDenied` if the parent wallet did not make the signature or
 * the message is not valid for this wallet and chain; `InvalidArgument`;
 * `Unavailable` if the chain is needed but cannot verify the signature.
 */
export async function getLinkedWallets(
  { database, networks, settings }: Platform,
  request: GetLinkedWalletsRequest,
): Promise<GetLinkedWalletsResponse> {
  const { parentWalletMessage: message, parentWalletSignature } = request;
  const network = requireNetwork(
    networks,
    "signatureChainId",
    request.signatureChainId,
  );
  const wallet = getAddress(request.parentWalletAddress);
  const signer = await findSigner({
    ...{ network, wallet, digest: hashMessage(message) },
    signature: requireBytes("parentWalletSignature", parentWalletSignature),
  });
  if (signer === null) {
    const cause = "parentWalletSignature: not a signature of the parent wallet";
    throw new PermissionDeniedError({ cause });
  }
  const { chainId } = network;
  refuseOtherPurpose(message, wallet, chainId, settings.requireSignInMessages);
  const rows = await readInPieces<Row<"linked_wallets">>((last, limit) =>
    database
      .selectFrom("linked_wallets")
      .selectAll()
      .where("wallet_address", "=", wallet.toLowerCase())
      // The same address can belong to different contracts on different chains.
      .$if(signer === "contract", (query) =>
        query.where("chain_id", "=", chainId),
      )
      .where("id", ">", last?.id ?? 0)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
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

/**
 * Checks the address, chain, and validity period of an EIP-4361 message.
 * Accepts any other message unless `isRequired` is true.
 *
 * Errors: `PermissionDenied`.
 */
function refuseOtherPurpose(
  text: string,
  address: Address,
  chainId: number,
  isRequired: boolean,
): void {
  const message = parseSiweMessage(text);
  if (message.address === undefined && !isRequired) return;
  const isValid = validateSiweMessage({ address, message });
  if (isValid && message.chainId === chainId) return;
  const cause = `parentWalletMessage: expected an EIP-4361 message from the parent wallet for chain ${chainId} that has not expired`;
  throw new PermissionDeniedError({ cause });
}
