import { EventEmitter, on } from "node:events";

export const prices = new EventEmitter();

/** Sends all prices from now on, until the signal aborts. */
export async function* watch(signal: AbortSignal): AsyncGenerator<number> {
  try {
    for await (const [cents] of on(prices, "price", { signal })) yield cents;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
