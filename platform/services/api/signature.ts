import {
  type Address,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  recoverAddress,
  size,
  slice,
  zeroAddress,
} from "viem";

import {
  InvalidArgumentError,
  UnavailableError,
} from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { isSameAddress } from "./currency.js";

/** A signature that somebody says is a wallet's. */
export interface SignatureClaim {
  readonly network: Network;
  readonly wallet: Address;
  /** 32 bytes that were signed. */
  readonly digest: Hex;
  readonly signature: Hex;
}

/** By what a wallet speaks: the key of its account, or the code on a chain. */
export type Signer = "key" | "contract";

/**
 * Who signed a digest for a wallet: the key of a plain account, or a contract
 * (ERC-1271), also one that is not deployed yet (ERC-6492).
 *
 * Output: null when the signature is not the wallet's.
 * Errors: `Unavailable` when the chain has to be asked and does not answer.
 */
export async function findSigner(
  claim: SignatureClaim,
): Promise<Signer | null> {
  const { network, wallet, digest, signature } = claim;
  // Nobody's: on chain, what cannot be recovered is taken for its signature.
  if (wallet === zeroAddress) return null;
  // Who holds an account's key speaks for it, whatever else may.
  if (await isSignedByKey(claim)) return hasLowS(signature) ? "key" : null;
  const answer = await readChain(network, (client) =>
    client.call({
      data: encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        bytecode: erc6492SignatureValidatorByteCode,
        args: [wallet, digest, signature],
      }),
    }),
  );
  // What the validator refuses by reverting is no signature of the wallet.
  if (answer === null) return null;
  // Nodes that do not run code without an address have not looked at all.
  if (answer.data === undefined) {
    const cause = `the chain of ${network.handle} does not run the validator`;
    throw new UnavailableError({ cause });
  }
  return BigInt(answer.data) === 1n ? "contract" : null;
}

/** Half the order of the curve: each signature has a twin above (EIP-2). */
const maxS =
  0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

function hasLowS(signature: Hex): boolean {
  return BigInt(slice(signature, 32, 64)) <= maxS;
}

/** Two numbers of 32 bytes, and which of two keys is meant. */
const keySignatureBytes = 65;

async function isSignedByKey(claim: SignatureClaim): Promise<boolean> {
  const { wallet, digest, signature } = claim;
  if (size(signature) !== keySignatureBytes) return false;
  try {
    const signer = await recoverAddress({ hash: digest, signature });
    return isSameAddress(signer, wallet);
  } catch {
    // The bytes are of a contract's own making.
    return false;
  }
}

/**
 * Bytes of a request field, once its characters are known to be hex digits.
 *
 * Errors: `InvalidArgument` when the last byte has one digit only.
 */
export function requireBytes(field: string, value: string): Hex {
  const digits = value.slice(2);
  if (digits.length % 2 === 0) return `0x${digits}`;
  const cause = `${field}: expected hex data (two digits for each byte)`;
  throw new InvalidArgumentError({ cause });
}
