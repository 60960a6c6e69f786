import { pbkdf2Sync } from "node:crypto";

import type { Address } from "viem";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";

/**
 * Known to everybody, and what anvil gives native currency to: for chains of
 * our own only.
 */
const mnemonic = "test test test test test test test test test test test junk";

/** Accounts of the embedded chain. */
export interface FixtureAccounts {
  /** Makes and owns the contracts. */
  readonly owner: HDAccount;
  /** Has currencies and collectibles, and a wallet that is a contract. */
  readonly user: HDAccount;
  /** Has some, too. */
  readonly other: HDAccount;
  /** Sends what is relayed, and nothing else. */
  readonly relayer: HDAccount;
}

/** The accounts, with their keys. */
export function createFixtureAccounts(): FixtureAccounts {
  // BIP 39. Done in JavaScript, as viem does it, this is thirty times slower.
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

/** Addresses of those who have something. */
export interface FixtureHolders {
  /** Owns the contracts. */
  readonly owner: Address;
  /** Has currencies, collectibles and items. */
  readonly user: Address;
  /** Has some, too. */
  readonly other: Address;
}
