import { zeroAddress } from "viem";

/**
 * An address that represents a chain's native currency. The zero address also
 * represents it.
 */
export const nativeCurrency = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** Returns whether an address represents the native currency. */
export function isNative(currency: string): boolean {
  return (
    isSameAddress(currency, nativeCurrency) ||
    isSameAddress(currency, zeroAddress)
  );
}

/** Compares addresses, ignoring case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Returns the canonical address of a currency. Only the native currency has
 * more than one address.
 */
export function nameOfCurrency(currency: string): string {
  return isNative(currency) ? nativeCurrency : currency;
}
