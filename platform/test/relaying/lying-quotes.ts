import { maxGas } from "../../relaying/evidence/evidence.js";
import type { Quote } from "../../relaying/evidence/price.js";
import {
  gasOf,
  limit,
  market,
  maxRollupFee,
  rollupFee,
} from "./lying-world.js";

/** What a node reports about prices and about a transaction without effect. */
interface Quoted extends Quote {
  readonly gas: bigint;
  readonly fee: bigint;
}

const trueQuote: Quoted = {
  ...{ ...market, gas: gasOf.cancel, fee: 2n * rollupFee },
};

/** The name of the quote of honest nodes. */
export const truth = "truth";

/** The quotes of the first node. */
export const quotes: ReadonlyMap<string, Quoted> = new Map([
  [truth, trueQuote],
  ["nothing costs anything", { baseFee: 0n, offer: 0n, gas: 0n, fee: 0n }],
  [
    "a million gwei and impossible gas",
    {
      ...{ baseFee: 10n ** 15n, offer: 10n ** 15n },
      ...{ gas: 2n ** 60n, fee: 2n ** 90n },
    },
  ],
  [
    "maximum gas and rollup's fee",
    { ...trueQuote, gas: maxGas, fee: maxRollupFee },
  ],
  // Relays can reserve as much as this.
  ["a high tip", { ...trueQuote, offer: 400n }],
  [
    "tip just below the limit",
    { ...trueQuote, baseFee: 0n, offer: limit - 1n },
  ],
  [
    "base fee just below the limit",
    { ...trueQuote, baseFee: limit - 1n, offer: 0n },
  ],
  [
    "price just below the limit without a base fee",
    { ...trueQuote, baseFee: null, offer: limit - 1n },
  ],
]);
