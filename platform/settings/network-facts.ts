import { readFileSync } from "node:fs";

import type { Address } from "viem";
import { parse } from "yaml";

/** An address and the package that it comes from. */
export interface Fact {
  readonly address: Address;
  readonly source: string;
}

/** A currency. */
export interface TokenFact extends Fact {
  readonly symbol: string;
  readonly decimals: number;
}

/** A fact as `network-facts.yaml` contains it. */
type FactRow = readonly [Address, string];
type TokenRow = readonly [string, number, ...FactRow];

interface NetworkRow {
  readonly chainId: number;
  readonly wrappedNative?: FactRow;
  readonly dollars?: readonly TokenRow[];
  readonly currencies?: readonly TokenRow[];
  readonly seaport?: FactRow;
  readonly uniswapV2Router?: FactRow;
  readonly uniswapV3?: { readonly quoter: FactRow; readonly router: FactRow };
}

/** Known contracts on a network. Unknown ones are absent. */
export type NetworkFacts = ReturnType<typeof toFacts>;

const file = new URL("network-facts.yaml", import.meta.url);
const { networks }: { readonly networks: readonly NetworkRow[] } = parse(
  readFileSync(file, "utf8"),
);

/** The known contracts on each network that has any. */
export const networkFacts: readonly NetworkFacts[] = networks.map(toFacts);

function toFacts({ uniswapV3, ...row }: NetworkRow) {
  return {
    chainId: row.chainId,
    wrappedNative: row.wrappedNative && toFact(row.wrappedNative),
    dollars: row.dollars?.map(toToken),
    currencies: row.currencies?.map(toToken),
    seaport: row.seaport && toFact(row.seaport),
    uniswapV2Router: row.uniswapV2Router && toFact(row.uniswapV2Router),
    uniswapV3: uniswapV3 && {
      quoter: toFact(uniswapV3.quoter),
      router: toFact(uniswapV3.router),
    },
  };
}

function toFact([address, source]: FactRow): Fact {
  return { address, source };
}

function toToken([symbol, decimals, ...fact]: TokenRow): TokenFact {
  return { symbol, decimals, ...toFact(fact) };
}
