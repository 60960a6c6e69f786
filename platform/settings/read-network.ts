import {
  address,
  amount,
  anyText,
  headsUrl,
  nodeUrl,
  webUrl,
} from "./forms.js";
import { type NetworkFacts, networkFacts } from "./network-facts.js";
import type { Section } from "./section.js";

/** A network in `config.yaml`. */
export type NetworkSettings = Readonly<ReturnType<typeof readNetwork>>;

/** The contracts for swaps on a chain. */
export type SwapSettings = Readonly<ReturnType<typeof readSwap>>;

/** The marketplace on a chain. */
export type MarketplaceSettings = Readonly<ReturnType<typeof readMarketplace>>;

/**
 * Reads a network. The known facts about the chain provide defaults, regardless
 * of the network's name.
 */
export function readNetwork(handle: string, section: Section) {
  const chainId = section.integer("chainId");
  const facts = networkFacts.find((known) => known.chainId === chainId) ?? null;
  const follow = section.optionalSection("follow", readFollow);
  return {
    handle,
    chainId,
    /** The symbol of the native currency, e.g. `POL`. */
    nativeSymbol: section.text("nativeSymbol"),
    /** In order of preference. Without any, the network is not reachable. */
    rpcUrls: section.texts("rpcUrls", nodeUrl),
    /** Null if there are no contracts for swaps. */
    swap:
      section.optionalSection("swap", (swap) => readSwap(swap, facts)) ??
      knownSwap(facts),
    /** Null if there is no marketplace. */
    marketplace: section.optionalSection("marketplace", (marketplace) =>
      readMarketplace(marketplace, facts),
    ),
    /** The maximum price per gas unit of relays. */
    ...(section.has("maxGasPriceGwei") && {
      maxGasPriceGwei: section.integer("maxGasPriceGwei", [1, 1e9]),
    }),
    /**
     * What the relaying account may spend in 24 hours on transactions that no
     * tank pays for, in the native currency.
     */
    ...(section.has("maxFillerCost") && {
      maxFillerCost: section.text("maxFillerCost", amount),
    }),
    /** A block explorer, which has transactions at `/tx/<hash>`. */
    ...(section.has("explorerUrl") && {
      explorerUrl: section.text("explorerUrl", webUrl),
    }),
    /** How its new blocks are found. */
    ...(follow !== null && { follow }),
  };
}

function readFollow(chain: Section) {
  return {
    pollMs: chain.integer("pollMs", [10, 30_000]),
    /** A WebSocket that announces new blocks. */
    headsUrl: chain.optionalText("headsUrl", headsUrl),
  };
}

function readSwap(swap: Section, facts: NetworkFacts | null) {
  return {
    /** Compatible with Uniswap V2's, or null if none is known. */
    router: swap.optionalText("router", address),
    v3: swap.optionalSection("v3", (v3) => ({
      /** A `Quoter` or `QuoterV2`. */
      quoter: v3.text("quoter", address),
      /** A `SwapRouter02`. */
      router: v3.text("router", address),
    })),
    /** Currencies to consider for payments and for routes. */
    currencies: swap.texts("currencies", address, knownCurrencies(facts)),
  };
}

/** Returns the known routers. Returns null if there are none. */
function knownSwap(facts: NetworkFacts | null): SwapSettings | null {
  const { uniswapV2Router, uniswapV3 } = facts ?? {};
  if (uniswapV2Router === undefined && uniswapV3 === undefined) return null;
  return {
    router: uniswapV2Router?.address ?? null,
    v3: uniswapV3
      ? {
          quoter: uniswapV3.quoter.address,
          router: uniswapV3.router.address,
        }
      : null,
    currencies: knownCurrencies(facts),
  };
}

function knownCurrencies(facts: NetworkFacts | null): readonly string[] {
  const { currencies = [], dollars = [], wrappedNative } = facts ?? {};
  const all = [...dollars, ...currencies, wrappedNative ?? []].flat();
  return all.map(({ address }) => address);
}

function readMarketplace(marketplace: Section, facts: NetworkFacts | null) {
  const [dollar] = facts?.dollars ?? [];
  return {
    /** Seaport 1.6. */
    seaport: marketplace.text("seaport", address, facts?.seaport?.address),
    /** The first block that may have orders. Null stands for its contract's. */
    startBlock: marketplace.has("startBlock")
      ? marketplace.integer("startBlock")
      : null,
    /** A currency pegged to the dollar, used to compare prices. */
    dollar: marketplace.text("dollar", address, dollar?.address),
    /** Providers that sell collectibles for card payments, e.g. `sardine`. */
    nftCheckout: marketplace.texts("nftCheckout", anyText, []),
    /** Providers that sell currencies for card payments, e.g. `transak`. */
    onRamp: marketplace.texts("onRamp", anyText, []),
  };
}
