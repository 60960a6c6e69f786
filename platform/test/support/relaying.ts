import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  toHex,
  zeroAddress,
} from "viem";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureGuestbook } from "../../chain/artifacts/fixture-guestbook.js";
import { smartWalletFactory } from "../../chain/artifacts/smart-wallet-factory.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import type { Ready } from "../load/spawned-platform.js";
import {
  type ForwardedCall,
  forwardRequestOf,
} from "../../relaying/forwarded-call.js";
import type { RelayRequest } from "../../relaying/generated/types.js";
import { typedDataOf, type WalletCall } from "../../relaying/wallet-call.js";

const { owner, user } = createFixtureAccounts();

/** Creates a wallet for the fixtures' user that no other test uses. */
export async function createUserWallet(
  { rpcUrl, factory }: { readonly rpcUrl: string; readonly factory: Address },
  chainId: number,
  name: string,
): Promise<Address> {
  const chain = openChainWallet(rpcUrl, chainId, owner);
  const contract = {
    address: factory,
    abi: smartWalletFactory.abi,
    args: [user.address, keccak256(toHex(name))],
  } as const;
  const address = await chain.readContract({
    ...contract,
    functionName: "walletOf",
  });
  await chain.writeContractSync({ ...contract, functionName: "createWallet" });
  return address;
}

/** Returns a wallet call that does nothing by default. */
export function callOf(
  wallet: Address,
  change: Partial<WalletCall> = {},
): WalletCall {
  return {
    wallet,
    to: zeroAddress,
    value: 0n,
    data: "0x",
    nonce: 0n,
    deadline: 4_000_000_000n,
    ...change,
  };
}

/**
 * Returns a call in which an account writes to a guestbook through the
 * forwarder.
 */
export function entryOf(
  { address: wallet }: LocalAccount,
  guestbook: Address,
  change: Partial<ForwardedCall> = {},
): ForwardedCall {
  const data = encodeFunctionData({
    abi: fixtureGuestbook.abi,
    functionName: "sign",
    args: ["Hello"],
  });
  const call = callOf(wallet, { to: guestbook, data, ...change });
  return { gas: 100_000n, ...call };
}

/**
 * Creates a message that asks the platform to relay a call, signed by the
 * wallet's owner.
 */
export async function signCall(
  chainId: number,
  call: WalletCall | ForwardedCall,
  signer: Pick<LocalAccount, "signTypedData"> = user,
): Promise<RelayRequest> {
  const signature: Hex = await ("gas" in call
    ? signer.signTypedData(forwardRequestOf(chainId, call))
    : signer.signTypedData(typedDataOf(chainId, call)));
  return {
    ...("gas" in call && { gas: call.gas.toString() }),
    wallet: call.wallet,
    to: call.to,
    value: call.value.toString(),
    data: call.data,
    nonce: call.nonce.toString(),
    deadline: Number(call.deadline),
    signature,
  };
}

/** Calls a method of the relaying server of a running platform. */
export async function postRelaying(
  { accessKey, baseUrl }: Pick<Ready, "accessKey" | "baseUrl">,
  method: "Relay" | "GetRelay",
  message: object,
) {
  const response = await fetch(`${baseUrl}/rpc/Relaying/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-access-key": accessKey },
    body: JSON.stringify(message),
  });
  return Object(await response.json());
}
