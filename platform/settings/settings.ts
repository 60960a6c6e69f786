/** The settings of `config.yaml` and the environment. */
export interface Settings {
  /** The address to listen on, e.g. `127.0.0.1`. */
  readonly host: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** The address and port of the metrics. Port 0 selects a free port. */
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** The address and port of the console. Port 0 selects a free port. */
  readonly adminHost: string;
  readonly adminPort: number;
  /** Additional host names for the console, without ports. */
  readonly adminNames: readonly string[];
  /** Password hashes by operator name. */
  readonly operators: Readonly<Record<string, string>>;
  /**
   * The password of the operator `owner`, or null for the one in the data
   * folder.
   */
  readonly operatorToken: string | null;
  /** The lifetime of operator sessions. */
  readonly sessionHours: number;
  /** The folder of the embedded database, the embedded chain and the secret. */
  readonly dataFolder: string;
  /** The URL of a PostgreSQL database, or null for the embedded one. */
  readonly databaseUrl: string | null;
  /**
   * The secret that all keys are derived from, or null for the one in the data
   * folder.
   */
  readonly secret: string | null;
  /**
   * The key of the relaying account on all networks. If the key is null, only
   * the embedded chain relays calls, using its own account.
   */
  readonly relayKey: `0x${string}` | null;
  readonly logLevel: LogLevel;
  /** The limit for each access key. */
  readonly rateLimit: RateLimitSettings;
  /**
   * The limit for each client address on requests without a key, and separately
   * on requests with unknown access keys.
   */
  readonly addressRateLimit: RateLimitSettings;
  /**
   * The header, in lowercase, in which a proxy sends the client's address, or
   * null if there is no such proxy.
   */
  readonly proxyHeader: string | null;
  readonly concurrency: ConcurrencySettings;
  /** Origins of web pages that can call the platform. `*` means all origins. */
  readonly allowedOrigins: readonly string[];
  /** Additional headers that these pages can send. */
  readonly allowedHeaders: readonly string[];
  /** Whether to reject secrets that a web page sends. */
  readonly refuseSecretsOfPages: boolean;
  /**
   * Whether reading wallet links requires a message in the format of EIP-4361.
   */
  readonly requireSignInMessages: boolean;
  /** The maximum number of webhook listeners per project and network. */
  readonly listenersPerProject: number;
  /** The maximum number of pending webhooks per project. */
  readonly deliveriesPerProject: number;
  /** The maximum number of gas sponsors per project and network. */
  readonly sponsorsPerProject: number;
  /** The maximum number of pending relays per project and network. */
  readonly relaysPerProject: number;
  /** The maximum number of unfinished refresh tasks per project. */
  readonly refreshesPerProject: number;
  /**
   * The number of tokens in a project's unfinished tasks at which further tasks
   * with `refreshAll` are rejected.
   */
  readonly refreshTokensPerProject: number;
  /** Whether webhooks and token URIs may point to private addresses. */
  readonly allowPrivateTargets: boolean;
  /** The base URL of the HTTP gateway for `ipfs://` URIs. */
  readonly ipfsGateway: string;
  /**
   * The time that requests in progress have to finish at shutdown, in
   * milliseconds.
   */
  readonly graceMs: number;
  /**
   * The handle of the network that the embedded chain provides, or null if
   * there is none.
   */
  readonly embeddedChain: string | null;
  /**
   * The RPC URL of an embedded chain that is already running, or null to start
   * one.
   */
  readonly chainUrl: string | null;
  /** Whether there is a demo project, which requires the embedded chain. */
  readonly demo: boolean;
  /** The handle of the network to use for paths that do not name one. */
  readonly defaultNetwork: string;
  readonly networks: readonly NetworkSettings[];
}

/** A log level. */
export type LogLevel = (typeof logLevels)[number];

/** All log levels, from the most verbose to none. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** A token bucket for each caller. */
export interface RateLimitSettings {
  /** The rate at which the bucket is refilled. */
  readonly requestsPerSecond: number;
  /** The size of the bucket. */
  readonly burst: number;
}

/**
 * Limits on concurrent requests per service. A caller is a project, or a client
 * address if no key is needed.
 */
export interface ConcurrencySettings {
  /** Concurrent requests. */
  readonly running: number;
  /** Concurrent requests from one caller. */
  readonly runningPerCaller: number;
  /**
   * Request bodies from one caller that are being received at the same time.
   */
  readonly bodiesPerCaller: number;
  /** Queued requests. Requests beyond the limit are rejected. */
  readonly waiting: number;
  /** The time after which a queued request is rejected. */
  readonly waitMs: number;
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
