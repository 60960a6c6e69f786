import { LRUCache } from "lru-cache";
import type { Address } from "viem";

/** The source of an offer maker's payment. Addresses are not case-sensitive. */
export interface FundingSource {
  readonly currency: Address;
  readonly owner: Address;
  /** The contract that can withdraw from it. */
  readonly spender: Address;
}

/** A cache of the available funds. */
export interface Ledger {
  /**
   * Returns the amount that can be withdrawn, or null if it is unknown or
   * expired.
   */
  find(source: FundingSource): bigint | null;
  note(source: FundingSource, amount: bigint): void;
  /** Removes all funding sources of an owner in a currency. */
  forget(currency: Address, owner: Address): void;
  clear(): void;
  /** Returns the currencies in lowercase. */
  currencies(): readonly Address[];
}

/** The time in milliseconds after which an entry expires. */
const maxAgeMs = 60_000;

/** The maximum number of owners in the cache, counted once per currency. */
const maxOwners = 50_000;

/** Creates an empty ledger. */
export function createLedger(): Ledger {
  // Funding sources by currency and owner, then by spender.
  const entries = new LRUCache<string, Map<string, bigint>>({
    max: maxOwners,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: performance,
  });
  const currencies = new Set<Address>();
  return {
    find: ({ currency, owner, spender }) =>
      entries.get(keyOf(currency, owner))?.get(lower(spender)) ?? null,
    note: ({ currency, owner, spender }, amount) => {
      const key = keyOf(currency, owner);
      const sources = entries.get(key) ?? new Map<string, bigint>();
      // Set the entry only once, so that it expires with its oldest amount.
      if (sources.size === 0) entries.set(key, sources);
      sources.set(lower(spender), amount);
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
