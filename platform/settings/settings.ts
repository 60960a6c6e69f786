/** The roles of operators. */
export const operatorRoles = [
  "owner",
  "billing",
  "support",
  "read-only",
] as const;

/** An operator in `config.yaml`. */
export interface OperatorSettings {
  readonly role: (typeof operatorRoles)[number];
  /** The hash of the password. */
  readonly password: string;
}

/** A token bucket for each caller. */
export interface RateLimitSettings {
  /** The rate at which the bucket is refilled. */
  readonly requestsPerSecond: number;
  /** The size of the bucket. */
  readonly burst: number;
}

/** A network in `config.yaml`. */
export interface NetworkSettings {
  readonly handle: string;
  readonly chainId: number;
  /** The symbol of the native currency, e.g. `POL`. */
  readonly nativeSymbol: string;
  /**
   * RPC URLs in order of preference. If there are none, the network is not
   * reachable.
   */
  readonly rpcUrls: readonly string[];
  /** The contracts for swaps, or null if there are none. */
  readonly swap: SwapSettings | null;
  /** The marketplace and its sales providers, or null if there is none. */
  readonly marketplace: MarketplaceSettings | null;
  /** The maximum price per gas unit of relays, in gwei. */
  readonly maxGasPriceGwei?: number;
  /** A block explorer, which has transactions at `/tx/<hash>`. */
  readonly explorerUrl?: string;
  /** The options for following its blocks. */
  readonly follow?: FollowSettings;
}

/** The options for detecting a chain's new blocks. */
export interface FollowSettings {
  /** The polling interval. */
  readonly pollMs: number;
  /**
   * The URL of a WebSocket that announces new blocks, or null if there is none.
   */
  readonly headsUrl: string | null;
}

/** The contracts for swaps on a chain. */
export interface SwapSettings {
  /**
   * A router that is compatible with Uniswap V2's, or null if none is known.
   */
  readonly router: string | null;
  /** The Uniswap V3 contracts, or null if unknown. */
  readonly v3: UniswapV3Settings | null;
  /** Currencies to consider for payments and for routes. */
  readonly currencies: readonly string[];
}

/** The Uniswap V3 contracts on a chain. */
export interface UniswapV3Settings {
  /** A `Quoter` or `QuoterV2`. */
  readonly quoter: string;
  /** A `SwapRouter02`. */
  readonly router: string;
}

/** The marketplace on a chain. */
export interface MarketplaceSettings {
  /** The address of the Seaport 1.6 contract. */
  readonly seaport: string;
  /**
   * The number of the first block that may have orders, or null for the block
   * that deploys the contract.
   */
  readonly startBlock: number | null;
  /** A currency pegged to the dollar, used to compare prices. */
  readonly dollar: string;
  /** Providers that sell collectibles for card payments, e.g. `sardine`. */
  readonly nftCheckout: readonly string[];
  /** Providers that sell currencies for card payments, e.g. `transak`. */
  readonly onRamp: readonly string[];
}
