import { pbkdf2Sync } from "node:crypto";

import type { Address } from "viem";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";

/**
 * A publicly known mnemonic phrase, whose accounts anvil funds. It must only be
 * used for the embedded chain.
 */
const mnemonic = "test test test test test test test test test test test junk";

/** Accounts of the embedded chain. */
export interface FixtureAccounts {
  /** Deploys and owns the contracts. */
  readonly owner: HDAccount;
  /** Owns currencies, collectibles, items, and a contract wallet. */
  readonly user: HDAccount;
  /** Also owns currencies, collectibles, and items. */
  readonly other: HDAccount;
  /** Only sends relayed transactions. */
  readonly relayer: HDAccount;
}

let accounts: FixtureAccounts | null = null;

/**
 * Returns the accounts with their keys. They are derived only once, because
 * deriving them takes a long time.
 */
export function createFixtureAccounts(): FixtureAccounts {
  accounts ??= deriveAccounts();
  return accounts;
}

function deriveAccounts(): FixtureAccounts {
  // This implements BIP 39. The JavaScript implementation that viem uses is
  // thirty times slower.
  const seed = pbkdf2Sync(mnemonic, "mnemonic", 2048, 64, "sha512");
  const key = HDKey.fromMasterSeed(seed);
  const account = (addressIndex: number): HDAccount =>
    hdKeyToAccount(key, { addressIndex });
  return {
    owner: account(0),
    user: account(1),
    other: account(2),
    relayer: account(3),
  };
}

/** Addresses of the accounts that own tokens. */
export type FixtureHolders = Readonly<
  Record<Exclude<keyof FixtureAccounts, "relayer">, Address>
>;
