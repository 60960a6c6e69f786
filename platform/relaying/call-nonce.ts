import {
  type Address,
  BaseError,
  encodeFunctionData,
  getAddress,
  hexToBigInt,
  type PublicClient,
} from "viem";

import {
  InvalidArgumentError,
  UnavailableError,
} from "../../generated/errors.js";
import { forwarder as forwarderArtifact } from "../chain/artifacts/forwarder.js";
import { smartWallet } from "../chain/artifacts/smart-wallet.js";
import { forwarderAddress } from "../chain/forwarder.js";
import { askAll } from "../network/agreement/ask-all.js";
import { majorityOf, present } from "../network/agreement/majority.js";
import type { Network } from "../network/networks.js";
import { isRefusal, readChain } from "../network/read-chain.js";
import { maxGas } from "./evidence/evidence.js";
import { readAgreed } from "./evidence/read-market.js";
import type { StoredRelay } from "./stored-relay.js";
import type { WalletCall } from "./wallet-call.js";

/** Where the nonces of a wallet's calls are counted. */
interface Counter {
  readonly wallet: Address;
  /** The contract that executes the calls, or null if the wallet does. */
  readonly forwarder: Address | null;
}

/**
 * Checks that the forwarder exists on the chain and that the call uses the
 * account's next nonce.
 *
 * Errors: `Unavailable` if there is no forwarder or no majority of the nodes
 * agrees; `InvalidArgument` for any other nonce.
 */
export async function requireNextNonce(
  network: Network,
  { wallet, nonce }: WalletCall,
): Promise<void> {
  const { value: next } = await readAgreed(
    network,
    `the next nonce of ${wallet}`,
    (node) => readNonce(node, { wallet, forwarder: forwarderAddress }),
  );
  if (next === "none") {
    const cause = `the forwarder ${forwarderAddress} is not deployed on ${network.handle}`;
    throw new UnavailableError({ cause });
  }
  if (next === nonce) return;
  const cause = `nonce: the next nonce of ${wallet} is ${next}`;
  throw new InvalidArgumentError({ cause });
}

/**
 * Returns whether a transaction may have used the nonce of a relay's call. If it
 * is not one of the relay, anyone else may have made the call. A single node that
 * reports it is enough, because the others can lag behind, and a call that is
 * signed again could be made twice. If most nodes do not respond, an old relay is
 * not delayed any longer.
 *
 * Returns false if the wallet does not report its nonce.
 * Errors: `Unavailable` if most nodes do not respond and the relay is not old.
 */
export async function mayNonceBeUsed(
  network: Network,
  { isOld, row }: Pick<StoredRelay, "isOld" | "row">,
): Promise<boolean> {
  const counter = {
    wallet: getAddress(row.wallet),
    forwarder: row.forwarder === null ? null : getAddress(row.forwarder),
  };
  const nodes = network.nodes();
  const found = await readChain(network, () =>
    askAll(nodes, (node) => readNonce(node, counter)),
  ).catch((error: unknown) => {
    if (error instanceof UnavailableError) return null;
    throw error;
  });
  const reported = present(found ?? []);
  const nonce = BigInt(row.wallet_nonce);
  if (reported.some((next) => next !== "none" && next > nonce)) return true;
  if (reported.length >= majorityOf(nodes.length)) return false;
  if (isOld) return true;
  const cause = `most nodes of ${network.handle} do not report the next nonce of ${row.wallet}`;
  throw new UnavailableError({ cause });
}

/** Reads the next nonce of a wallet, or "none" if nothing counts its calls. */
async function readNonce(
  node: PublicClient,
  { forwarder, wallet }: Counter,
): Promise<bigint | "none"> {
  const data =
    forwarder === null
      ? encodeFunctionData({ abi: smartWallet.abi, functionName: "nonce" })
      : encodeFunctionData({
          ...{ abi: forwarderArtifact.abi, functionName: "nonces" },
          args: [wallet],
        });
  try {
    const question = { to: forwarder ?? wallet, data, gas: maxGas };
    const { data: next } = await node.call(question);
    return next?.length === 66 ? hexToBigInt(next) : "none";
  } catch (error) {
    if (error instanceof BaseError && isRefusal(error)) return "none";
    throw error;
  }
}
