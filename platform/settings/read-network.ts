import { address, anyText, headsUrl, nodeUrl, webUrl } from "./forms.js";
import { type NetworkFacts, networkFacts } from "./network-facts.js";
import type { Section } from "./section.js";
import type {
  FollowSettings,
  MarketplaceSettings,
  NetworkSettings,
  SwapSettings,
} from "./settings.js";

/**
 * Reads a network. The known facts about the chain provide defaults, regardless
 * of the network's name.
 */
export function readNetwork(handle: string, section: Section): NetworkSettings {
  const chainId = section.integer("chainId");
  const facts = networkFacts.find((known) => known.chainId === chainId) ?? null;
  const follow = section.optionalSection("follow", readFollow);
  return {
    handle,
    chainId,
    nativeSymbol: section.text("nativeSymbol"),
    rpcUrls: section.texts("rpcUrls", nodeUrl),
    swap:
      section.optionalSection("swap", (swap) => readSwap(swap, facts)) ??
      knownSwap(facts),
    marketplace: section.optionalSection("marketplace", (marketplace) =>
      readMarketplace(marketplace, facts),
    ),
    ...(section.has("maxGasPriceGwei") && {
      maxGasPriceGwei: section.integer("maxGasPriceGwei", [1, 1e9]),
    }),
    ...(section.has("explorerUrl") && {
      explorerUrl: section.text("explorerUrl", webUrl),
    }),
    ...(follow !== null && { follow }),
  };
}

function readFollow(chain: Section): FollowSettings {
  return {
    pollMs: chain.integer("pollMs", [10, 30_000]),
    headsUrl: chain.optionalText("headsUrl", headsUrl),
  };
}

function readSwap(swap: Section, facts: NetworkFacts | null): SwapSettings {
  return {
    router: swap.optionalText("router", address),
    v3: swap.optionalSection("v3", (v3) => ({
      quoter: v3.text("quoter", address),
      router: v3.text("router", address),
    })),
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

function readMarketplace(
  marketplace: Section,
  facts: NetworkFacts | null,
): MarketplaceSettings {
  const [dollar] = facts?.dollars ?? [];
  return {
    seaport: marketplace.text("seaport", address, facts?.seaport?.address),
    startBlock: marketplace.has("startBlock")
      ? marketplace.integer("startBlock")
      : null,
    dollar: marketplace.text("dollar", address, dollar?.address),
    nftCheckout: marketplace.texts("nftCheckout", anyText, []),
    onRamp: marketplace.texts("onRamp", anyText, []),
  };
}
