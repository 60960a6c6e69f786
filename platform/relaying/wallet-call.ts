import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  parseAbiParameters,
} from "viem";

import { smartWallet } from "../chain/artifacts/smart-wallet.js";

/** A call that a wallet executes for its owner. */
export interface WalletCall {
  readonly wallet: Address;
  readonly to: Address;
  /** Paid from the wallet's balance. */
  readonly value: bigint;
  readonly data: Hex;
  /** The wallet's nonce. Each is used once, in ascending order. */
  readonly nonce: bigint;
  /** The last second in which the call is valid, in Unix time. */
  readonly deadline: bigint;
}

const types = {
  Call: parseAbiParameters(
    "address to, uint256 value, bytes data, uint256 nonce, uint256 deadline",
  ),
};

/**
 * Returns the data that the owner signs (EIP-712). A signature is valid
 * only for this wallet and chain.
 */
export function typedDataOf(chainId: number, call: WalletCall) {
  const { wallet, ...message } = call;
  return {
    domain: {
      name: "SmartWallet",
      version: "1",
      chainId,
      verifyingContract: wallet,
    },
    types,
    primaryType: "Call",
    message,
  } as const;
}

/** Returns the hash of the typed data of a call. */
export function hashOfCall(chainId: number, call: WalletCall): Hex {
  return hashTypedData(typedDataOf(chainId, call));
}

/** Encodes the data of a transaction that makes the wallet execute the call. */
export function encodeCall(
  { to, value, data, nonce, deadline }: WalletCall,
  signature: Hex,
): Hex {
  return encodeFunctionData({
    abi: smartWallet.abi,
    functionName: "executeSigned",
    args: [to, value, data, nonce, deadline, signature],
  });
}
