import { type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { UnavailableError } from "../../generated/errors.js";
import { createFixtureAccounts } from "../chain/accounts.js";
import type { Network } from "../network/networks.js";
import type { Settings } from "../settings/settings.js";

/**
 * The account that sends what is relayed on a network. Nobody else may send
 * transactions with it.
 *
 * Errors: `Unavailable` when there is none.
 */
export function requireRelayAccount(
  { embeddedChain, relayKey }: Pick<Settings, "embeddedChain" | "relayKey">,
  { handle }: Pick<Network, "handle">,
): LocalAccount {
  if (relayKey !== null) return privateKeyToAccount(relayKey);
  if (handle === embeddedChain) return createFixtureAccounts().relayer;
  const cause = `there is no account that relays on ${handle}`;
  throw new UnavailableError({ cause });
}
