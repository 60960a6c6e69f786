import { zeroAddress } from "viem";

/** Represents the native currency of a chain, as does the zero address. */
export const nativeCurrency = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** Returns whether an address represents the native currency. */
export function isNative(currency: string): boolean {
  return (
    isSameAddress(currency, nativeCurrency) ||
    isSameAddress(currency, zeroAddress)
  );
}

/** Compares addresses without regard to case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Returns the canonical address of a currency. Only the native currency has
 * several addresses.
 */
export function nameOfCurrency(currency: string): string {
  return isNative(currency) ? nativeCurrency : currency;
}
