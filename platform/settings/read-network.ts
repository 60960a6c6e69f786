import { headsUrl, nodeUrl } from "./forms.js";
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
    router: swap.has("router") ? swap.address("router") : null,
    v3: swap.optionalSection("v3", (v3) => ({
      quoter: v3.address("quoter"),
      router: v3.address("router"),
    })),
    currencies: swap.has("currencies")
      ? swap.addresses("currencies")
      : knownCurrencies(facts),
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
    seaport: marketplace.address("seaport", facts?.seaport?.address),
    startBlock: marketplace.has("startBlock")
      ? marketplace.integer("startBlock")
      : null,
    dollar: marketplace.address("dollar", dollar?.address),
    nftCheckout: marketplace.has("nftCheckout")
      ? marketplace.texts("nftCheckout")
      : [],
    onRamp: marketplace.has("onRamp") ? marketplace.texts("onRamp") : [],
  };
}
