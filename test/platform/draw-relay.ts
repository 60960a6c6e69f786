import { bytesToHex, type Hex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import { createFixtureAccounts } from "../../platform/chain/accounts.js";
import { smartWallet } from "../../platform/chain/artifacts/smart-wallet.js";
import { openChainWallet } from "../../platform/chain/chain-wallet.js";
import type { Ready } from "../../platform/test/load/spawned-platform.js";
import type { WalletCall } from "../../platform/relaying/wallet-call.js";
import {
  callOf,
  entryOf,
  signCall,
} from "../../platform/test/support/relaying.js";
import type { Random } from "../support/random.js";

const { other, user } = createFixtureAccounts();

/** The limits of the types that messages, contracts, and tables use. */
const limits = [31n, 32n, 48n, 53n, 63n, 64n, 128n, 255n, 256n].flatMap(
  (bits) => [2n ** bits - 1n, 2n ** bits],
);

/** The largest values that can be signed: `uint256` and `uint48`. */
const maxNumber = 2n ** 256n - 1n;
const maxDeadline = 2n ** 48n - 1n;

/**
 * Returns a function that draws calls for `Relay`. Most of the calls have a
 * valid signature, and any value can be extreme.
 */
export function createDrawRelay({
  chainId,
  chainUrl,
  fixtures,
}: Ready): (random: Random) => Promise<object> {
  const { futureWallet, gold, guestbook, wallet } = fixtures;
  const chain = openChainWallet(chainUrl, chainId, user);
  return async (random) => {
    const guest = privateKeyToAccount(generatePrivateKey());
    const isForwarded = random.chance(0.5);
    const nonce = await chain.readContract({
      ...{ address: wallet, abi: smartWallet.abi, functionName: "nonce" },
    });
    const usual: WalletCall & { readonly gas?: bigint } = isForwarded
      ? entryOf(guest, guestbook)
      : callOf(random.oneOf([wallet, wallet, futureWallet, user.address]), {
          nonce,
        });
    const orLimit = (value: bigint, most = maxNumber): bigint => {
      const drawn = random.chance(0.9) ? value : random.maybeOneOf(limits);
      return drawn === undefined || drawn > most ? most : drawn;
    };
    const call = {
      ...usual,
      to: random.oneOf([usual.to, usual.to, guestbook, gold, zeroAddress]),
      data: random.chance(0.8) ? usual.data : drawBytes(random),
      value: orLimit(0n),
      nonce: orLimit(usual.nonce),
      deadline: orLimit(usual.deadline, maxDeadline),
      ...(usual.gas !== undefined && { gas: orLimit(usual.gas) }),
    };
    const owner = isForwarded ? guest : user;
    const message = await signCall(
      chainId,
      call,
      random.chance(0.9) ? owner : other,
    );
    return random.chance(0.9)
      ? message
      : { ...message, signature: drawBytes(random) };
  };
}

/** Draws bytes of a random length that fits into a request. */
function drawBytes(random: Random): Hex {
  const length = random.oneOf([
    0, 1, 4, 64, 65, 1000, 30_000, 200_000, 500_000,
  ]);
  return bytesToHex(new Uint8Array(length).fill(random.below(256)));
}
