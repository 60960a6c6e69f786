import { setTimeout as sleep } from "node:timers/promises";

import { erc20Abi, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import type { RelayRequest } from "../../relaying/generated/types.js";
import { callOf, entryOf, signCall } from "../support/relaying.js";
import type { FailingPlatform } from "./crashing-platform.js";

/** Acknowledged writes, which must exist afterwards. */
export interface Ledger {
  /** The audience from which contacts are removed. */
  readonly audienceId: number;
  /** IDs of gas sponsors by address. */
  readonly sponsors: Map<string, number>;
  /** Contacts that were removed from the audience. */
  readonly removed: Set<bigint>;
  /** Contacts that may or may not have been removed. */
  readonly maybeRemoved: Set<bigint>;
  /** IDs of relays. */
  readonly relays: Set<number>;
  /** Transactions that contain transfers. */
  readonly transfers: Set<Hex>;
  /** Errors of failed writes, and how often each occurred. */
  readonly failures: Map<string, number>;
}

/** Creates a ledger without any writes. */
export function createLedger(audienceId: number): Ledger {
  return {
    audienceId,
    sponsors: new Map(),
    removed: new Set(),
    maybeRemoved: new Set(),
    relays: new Set(),
    transfers: new Set(),
    failures: new Map(),
  };
}

/** Returns the number of acknowledged writes. */
export function countAll(ledger: Ledger): number {
  const { relays, removed, sponsors, transfers } = ledger;
  return relays.size + removed.size + sponsors.size + transfers.size;
}

const accounts = createFixtureAccounts();

/** Performs all kinds of writes until it is stopped. */
export function startWriting(
  platform: FailingPlatform,
  ledger: Ledger,
): { stop(): Promise<void> } {
  let isStopping = false;
  const repeat = async (write: () => Promise<void>): Promise<void> => {
    while (!isStopping) {
      await write().catch((error: unknown) => {
        const name = nameOf(error);
        ledger.failures.set(name, (ledger.failures.get(name) ?? 0) + 1);
        return sleep(20);
      });
    }
  };
  const all = Promise.all(
    [addSponsor, removeContact, relayCall, transferGold].map((write) =>
      repeat(() => write(platform, ledger)),
    ),
  );
  return {
    stop: async () => {
      isStopping = true;
      await all;
    },
  };
}

function nameOf(error: unknown): string {
  const { name, status } = Object(error);
  return `${String(name)} ${String(status ?? "")}`.trim();
}

async function addSponsor(
  platform: FailingPlatform,
  { sponsors }: Ledger,
): Promise<void> {
  const { projectId } = platform.ready();
  const address = `0x5${sponsors.size.toString(16).padStart(39, "0")}`;
  const request = { projectId, address, name: `sponsor ${sponsors.size}` };
  const { gasSponsor } = await platform.client().relayer.addGasSponsor(request);
  sponsors.set(address, gasSponsor.id);
}

async function removeContact(
  platform: FailingPlatform,
  { audienceId, maybeRemoved, removed }: Ledger,
): Promise<void> {
  const { projectId } = platform.ready();
  const contact = BigInt(removed.size + maybeRemoved.size + 1);
  maybeRemoved.add(contact);
  await platform.client().builder.removeAudienceContacts({
    projectId,
    audienceId,
    contactIds: [contact],
  });
  maybeRemoved.delete(contact);
  removed.add(contact);
}

async function relayCall(
  platform: FailingPlatform,
  { relays }: Ledger,
): Promise<void> {
  const { accessKey, baseUrl } = platform.ready();
  const sign = relays.size % 2 === 0 ? signWalletCall : signEntry;
  const response = await platform.fetch(`${baseUrl}/rpc/Relaying/Relay`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-access-key": accessKey },
    body: JSON.stringify(await sign(platform)),
  });
  const { error, relay, status } = Object(await response.json());
  if (!response.ok) throw Object.assign(new Error(), { name: error, status });
  relays.add(relay.id);
}

async function signWalletCall(
  platform: FailingPlatform,
): Promise<RelayRequest> {
  const { chainId, chainUrl, fixtures } = platform.ready();
  const { wallet } = fixtures;
  const chain = openChainWallet(chainUrl, chainId, accounts.user);
  const nonce = await chain.readContract({
    ...{ address: wallet, abi: smartWallet.abi, functionName: "nonce" },
  });
  // Make every call unique. When the chain has lost blocks, nonces repeat, and
  // an identical call would be reported as already done.
  const data: Hex = `0x${crypto.randomUUID().replaceAll("-", "")}`;
  return signCall(chainId, callOf(wallet, { nonce, data }));
}

/** Signs a call that a new account sends through the forwarder. */
function signEntry(platform: FailingPlatform): Promise<RelayRequest> {
  const { chainId, fixtures } = platform.ready();
  const guest = privateKeyToAccount(generatePrivateKey());
  return signCall(chainId, entryOf(guest, fixtures.guestbook), guest);
}

async function transferGold(
  platform: FailingPlatform,
  { transfers }: Ledger,
): Promise<void> {
  const { chainId, chainUrl, fixtures } = platform.ready();
  const chain = openChainWallet(chainUrl, chainId, accounts.user);
  const receipt = await chain.writeContractSync({
    ...{ address: fixtures.gold, abi: erc20Abi, functionName: "transfer" },
    args: [fixtures.other, 1n],
    throwOnReceiptRevert: true,
  });
  transfers.add(receipt.transactionHash);
}
