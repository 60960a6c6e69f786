import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashTypedData,
} from "viem";

import { smartWallet } from "../chain/artifacts/smart-wallet.js";

/** A call that a wallet makes for its owner. */
export interface WalletCall {
  readonly wallet: Address;
  readonly to: Address;
  /** Out of what the wallet has. */
  readonly value: bigint;
  readonly data: Hex;
  /** Of the wallet: each is used once, in their order. */
  readonly nonce: bigint;
  /** Until when it may be made, in seconds since 1970. */
  readonly deadline: bigint;
}

const types = {
  Call: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** What the owner signs (EIP-712): for this wallet on this chain only. */
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

/** The hash of that. */
export function hashOfCall(chainId: number, call: WalletCall): Hex {
  return hashTypedData(typedDataOf(chainId, call));
}

/** What a transaction to the wallet carries to have the call made. */
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
