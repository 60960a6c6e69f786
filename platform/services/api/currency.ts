import { zeroAddress } from "viem";

/** Stands for the native currency of a chain; the zero address does, too. */
export const nativeCurrency = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** Whether an address stands for the native currency. */
export function isNative(currency: string): boolean {
  return (
    isSameAddress(currency, nativeCurrency) ||
    isSameAddress(currency, zeroAddress)
  );
}

/** Upper and lower case mean the same. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The one name of a currency: only the native one has several. */
export function nameOfCurrency(currency: string): string {
  return isNative(currency) ? nativeCurrency : currency;
}
