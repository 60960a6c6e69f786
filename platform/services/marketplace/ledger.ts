import type { Address } from "viem";

/** What the maker of offers pays out of. Addresses are in any case. */
export interface Purse {
  readonly currency: Address;
  readonly owner: Address;
  /** Who may take something out of it. */
  readonly spender: Address;
}

/** What is known of purses. */
export interface Ledger {
  /** How much can be taken out; null: unknown, or known for too long. */
  find(purse: Purse): bigint | null;
  note(purse: Purse, amount: bigint): void;
  /** Forgets the purses of somebody in a currency. */
  forget(currency: Address, owner: Address): void;
  clear(): void;
  /** In lower case. */
  currencies(): readonly Address[];
}

/** What was in a purse, and when that was read, as `performance.now()` counts. */
interface Entry {
  readonly amount: bigint;
  readonly at: number;
}

/** After that long an entry is worth nothing, in milliseconds. */
const keptMs = 60_000;

/** More are forgotten. */
const keptPurses = 50_000;

/** Nothing is known. */
export function createLedger(): Ledger {
  // By currency, by owner, by spender.
  const entries = new Map<Address, Map<string, Map<string, Entry>>>();
  let count = 0;
  const clear = (): void => {
    entries.clear();
    count = 0;
  };
  return {
    find: ({ currency, owner, spender }) => {
      const ofOwner = entries.get(lower(currency))?.get(lower(owner));
      const entry = ofOwner?.get(lower(spender));
      if (entry === undefined) return null;
      return performance.now() - entry.at < keptMs ? entry.amount : null;
    },
    note: ({ currency, owner, spender }, amount) => {
      if (count >= keptPurses) clear();
      const ofCurrency = entries.get(lower(currency)) ?? new Map();
      const ofOwner = ofCurrency.get(lower(owner)) ?? new Map();
      if (!ofOwner.has(lower(spender))) count += 1;
      ofOwner.set(lower(spender), { amount, at: performance.now() });
      ofCurrency.set(lower(owner), ofOwner);
      entries.set(lower(currency), ofCurrency);
    },
    forget: (currency, owner) => {
      const ofCurrency = entries.get(lower(currency));
      count -= ofCurrency?.get(lower(owner))?.size ?? 0;
      ofCurrency?.delete(lower(owner));
    },
    clear,
    currencies: () => [...entries.keys()],
  };
}

function lower(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}
