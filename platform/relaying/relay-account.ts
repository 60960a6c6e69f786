import { privateKeyToAccount } from "viem/accounts";

import { UnavailableError } from "../../generated/errors.js";
import { createFixtureAccounts } from "../chain/accounts.js";
import type { Network } from "../network/networks.js";
import type { Settings } from "../settings/read-settings.js";
import type { AccountPlace } from "./account-nonces.js";

/**
 * Returns the account that sends relays on a network. Nothing else may send
 * transactions from this account.
 *
 * Errors: `Unavailable` if there is none.
 */
export function requireRelayAccount(
  { embeddedChain, relayKey }: Pick<Settings, "embeddedChain" | "relayKey">,
  network: Network,
): AccountPlace {
  if (relayKey !== null) {
    return { network, account: privateKeyToAccount(relayKey) };
  }
  if (network.handle === embeddedChain) {
    return { network, account: createFixtureAccounts().relayer };
  }
  const cause = `there is no relaying account on ${network.handle}`;
  throw new UnavailableError({ cause });
}
