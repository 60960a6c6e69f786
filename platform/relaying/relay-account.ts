import type { LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { UnavailableError } from "../../generated/errors.js";
import { createFixtureAccounts } from "../chain/accounts.js";
import type { Network } from "../network/networks.js";
import type { Settings } from "../settings/read-settings.js";

/** A relaying account and its network. */
export interface AccountPlace {
  readonly network: Network;
  readonly account: LocalAccount;
}

type KeySettings = Pick<Settings, "embeddedChain" | "relayKey" | "oldRelayKey">;

/**
 * Returns the accounts that sign transactions on a network. Nothing else may
 * send transactions from them. The first one sends new transactions. The others
 * only replace transactions that they have sent earlier.
 */
export function findRelayAccounts(
  { embeddedChain, oldRelayKey, relayKey }: KeySettings,
  network: Network,
): readonly AccountPlace[] {
  const accounts: LocalAccount[] = [relayKey, oldRelayKey].flatMap((key) =>
    key === null ? [] : privateKeyToAccount(key),
  );
  if (network.handle === embeddedChain) {
    accounts.push(createFixtureAccounts().relayer);
  } else if (relayKey === null) {
    return [];
  }
  return accounts.map((account) => ({ network, account }));
}

/**
 * Returns the account that sends new transactions on a network.
 *
 * Errors: `Unavailable` if there is none.
 */
export function requireRelayAccount(
  settings: KeySettings,
  network: Network,
): AccountPlace {
  const [place] = findRelayAccounts(settings, network);
  if (place !== undefined) return place;
  const cause = `there is no relaying account on ${network.handle}`;
  throw new UnavailableError({ cause });
}
