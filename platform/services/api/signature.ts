import { recover } from "tiny-secp256k1";
import {
  type Address,
  bytesToHex,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hexToBytes,
  size,
  slice,
  zeroAddress,
} from "viem";
import { publicKeyToAddress } from "viem/accounts";

import { UnavailableError } from "../../../generated/errors.js";
import { readFromMost } from "../../network/agreement/read-from-most.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { isSameAddress } from "./currency.js";

/** A signature to verify for a wallet. */
export interface SignatureClaim {
  readonly network: Network;
  readonly wallet: Address;
  /** The 32 bytes that were signed. */
  readonly digest: Hex;
  readonly signature: Hex;
}

/**
 * How a wallet signs: with its account's key or through a contract on a chain.
 */
export type Signer = "key" | "contract";

/**
 * Finds who signed a digest for a wallet: the key of a plain account, or a
 * contract (ERC-1271), which may not be deployed yet (ERC-6492).
 *
 * Returns null if the wallet did not make the signature, or if the `s` of its
 * key's signature is too large (EIP-2).
 * Errors: `Unavailable` if the chain is needed but does not respond or cannot
 * run the validator, or its nodes do not agree.
 */
export async function findSigner(
  claim: SignatureClaim,
): Promise<Signer | null> {
  const { network, wallet, digest, signature } = claim;
  // On-chain recovery returns the zero address for invalid signatures.
  if (wallet === zeroAddress) return null;
  // An account's own key can always sign for it, even if the account also has
  // code.
  if (isSignedByKey(claim)) return hasLowS(signature) ? "key" : null;
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, digest, signature],
  });
  const verdict = await readFromMost(
    network,
    `a signature of ${wallet}`,
    async (only) => {
      const answer = await readChain(only, (client) => client.call({ data }));
      // The validator reverts if the wallet did not make the signature.
      return answer === null ? "0x0" : (answer.data ?? "0x");
    },
  );
  // Some nodes do not support calls without a target address and execute
  // nothing.
  if (verdict === "0x") {
    const cause = `the chain of ${network.handle} cannot run the signature validator`;
    throw new UnavailableError({ cause });
  }
  return BigInt(verdict) === 1n ? "contract" : null;
}

/**
 * Half the order of the curve. Each signature has an equivalent one with a
 * larger `s`, which EIP-2 forbids.
 */
const maxS =
  0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

function hasLowS(signature: Hex): boolean {
  return BigInt(slice(signature, 32, 64)) <= maxS;
}

/** The size of a key's signature: two 32-byte numbers and a recovery byte. */
const keySignatureBytes = 65;

function isSignedByKey({ wallet, digest, signature }: SignatureClaim): boolean {
  if (size(signature) !== keySignatureBytes) return false;
  const bytes = hexToBytes(signature);
  const [last = 0] = bytes.subarray(64);
  const parity = last < 27 ? last : last - 27;
  if (parity !== 0 && parity !== 1) return false;
  try {
    // viem recovers keys in JavaScript, which takes eight times as long.
    const pair = bytes.subarray(0, 64);
    const key = recover(hexToBytes(digest), pair, parity, false);
    if (key === null) return false;
    return isSameAddress(publicKeyToAddress(bytesToHex(key)), wallet);
  } catch {
    // It is not a key's signature, but a contract may accept it.
    return false;
  }
}
