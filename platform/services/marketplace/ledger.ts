import { LRUCache } from "lru-cache";
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

/** After that long an entry is worth nothing, in milliseconds. */
const keptMs = 60_000;

/** The purses of more owners are forgotten. */
const keptOwners = 50_000;

/** Nothing is known. */
export function createLedger(): Ledger {
  // By currency and owner, by spender.
  const entries = new LRUCache<string, Map<string, bigint>>({
    max: keptOwners,
    ttl: keptMs,
    ttlResolution: 0,
    perf: performance,
  });
  const currencies = new Set<Address>();
  return {
    find: ({ currency, owner, spender }) =>
      entries.get(keyOf(currency, owner))?.get(lower(spender)) ?? null,
    note: ({ currency, owner, spender }, amount) => {
      const key = keyOf(currency, owner);
      const purses = entries.get(key) ?? new Map<string, bigint>();
      // What was noted first is the oldest: its time counts.
      if (purses.size === 0) entries.set(key, purses);
      purses.set(lower(spender), amount);
      currencies.add(lower(currency));
    },
    forget: (currency, owner) => void entries.delete(keyOf(currency, owner)),
    clear: () => {
      entries.clear();
      currencies.clear();
    },
    currencies: () => [...currencies],
  };
}

function keyOf(currency: Address, owner: Address): string {
  return `${lower(currency)} ${lower(owner)}`;
}

function lower(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}
