import { getAddress } from "viem";

import type {
  IsValidSignatureRequest,
  IsValidSignatureResponse,
} from "../../../generated/api/types.js";
import type { Platform } from "../../parts/platform.js";
import { requireNetwork } from "../../network/require-network.js";
import { findSigner, requireBytes } from "./signature.js";

/**
 * Returns whether a wallet signed a digest.
 *
 * Errors: `InvalidArgument`, `Unavailable` if the chain is needed but cannot
 * verify the signature.
 */
export async function isValidSignature(
  { networks }: Platform,
  request: IsValidSignatureRequest,
): Promise<IsValidSignatureResponse> {
  const signer = await findSigner({
    network: requireNetwork(networks, "chainId", request.chainId),
    wallet: getAddress(request.walletAddress),
    digest: requireBytes("digest", request.digest),
    signature: requireBytes("signature", request.signature),
  });
  return { isValid: signer !== null };
}
