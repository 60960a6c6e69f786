export interface Payment {
  readonly customer: string;
  readonly to: string;
  readonly cents: number;
  readonly receipt: string;
}

/** All payments that were made. */
export const ledger: Payment[] = [];

/** Makes a payment. Returns its receipt. */
export function pay(customer: string, to: string, cents: number): string {
  const receipt = `receipt ${ledger.length + 1}`;
  ledger.push({ customer, to, cents, receipt });
  return receipt;
}

/** Returns whose token it is. A customer gets a new token every few minutes. */
export function customerOf(token: string): string | null {
  return /^(\w+) \d+$/u.exec(token)?.[1] ?? null;
}
