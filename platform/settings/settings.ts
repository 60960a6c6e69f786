/** What is set up by `config.yaml` and the environment. */
export interface Settings {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Where metrics are told, apart from the public port; 0: any that is free. */
  readonly metricsHost: string;
  readonly metricsPort: number;
  /** Where the project console is, apart from both; 0: any port that is free. */
  readonly adminHost: string;
  readonly adminPort: number;
  /** Names that its address has besides `adminHost`, without ports. */
  readonly adminNames: readonly string[];
  /** Hashes of the passwords of operators, by their names. */
  readonly operators: Readonly<Record<string, string>>;
  /** Password of the operator `owner`; null: the one in the data folder. */
  readonly operatorToken: string | null;
  /** After so long, operators have to sign in again. */
  readonly sessionHours: number;
  /** Where the embedded database, the embedded chain and the secret are kept. */
  readonly dataFolder: string;
  /** A PostgreSQL to use; null: the embedded one. */
  readonly databaseUrl: string | null;
  /** From which all keys are derived; null: the one in the data folder. */
  readonly secret: string | null;
  /**
   * Key of the account that relays on all networks; null: only on the chain of
   * our own, with an account of its own.
   */
  readonly relayKey: `0x${string}` | null;
  readonly logLevel: LogLevel;
  /** For each access key. */
  readonly rateLimit: RateLimitSettings;
  /** For each client address, in what needs no key. */
  readonly addressRateLimit: RateLimitSettings;
  /**
   * Header, in lower case, in which a proxy in front tells the address of the
   * client; null: none is in front, or it does not say.
   */
  readonly proxyHeader: string | null;
  readonly concurrency: ConcurrencySettings;
  /** Origins of web pages that may call; `*` is all. */
  readonly allowedOrigins: readonly string[];
  /** Headers that those may send besides the keys. */
  readonly allowedHeaders: readonly string[];
  /** Whether secrets are refused that a web page sends. */
  readonly refuseSecretsOfPages: boolean;
  /** Whether links are only told for messages in the form of EIP-4361. */
  readonly requireSignInMessages: boolean;
  /** How many webhook listeners a project may have on each network. */
  readonly listenersPerProject: number;
  /** Whether webhooks and token URIs may lead to private addresses. */
  readonly allowPrivateTargets: boolean;
  /** Base address of the HTTP gateway that `ipfs://` URIs are read through. */
  readonly ipfsGateway: string;
  /** How long running requests may take at the end, in milliseconds. */
  readonly graceMs: number;
  /** Handle of the network that runs in a chain of our own; null: none. */
  readonly embeddedChain: string | null;
  /** RPC URL of that chain where it runs already; null: it is started. */
  readonly chainUrl: string | null;
  /** Whether the embedded chain comes with a project to try things out with. */
  readonly demo: boolean;
  /** Handle of the network of addresses that name none. */
  readonly defaultNetwork: string;
  readonly networks: readonly NetworkSettings[];
}

/** How much is logged. */
export type LogLevel = (typeof logLevels)[number];

/** From much to nothing. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

/** A bucket of tokens for each who calls. */
export interface RateLimitSettings {
  /** Refilled so fast. */
  readonly requestsPerSecond: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}

/**
 * How many requests each service works on, and what becomes of others. A caller
 * is a project, or a client address where no key is needed.
 */
export interface ConcurrencySettings {
  /** At once. */
  readonly running: number;
  /** Of them for one caller. */
  readonly runningPerCaller: number;
  /** Bodies of one caller that are arriving; more requests are refused. */
  readonly bodiesPerCaller: number;
  /** For a place; more are refused. */
  readonly waiting: number;
  /** After that long they are refused, too. */
  readonly waitMs: number;
}

/** A network of `config.yaml`. */
export interface NetworkSettings {
  readonly handle: string;
  readonly chainId: number;
  /** Of the native currency, e.g. `POL`. */
  readonly nativeSymbol: string;
  /** In the order in which they are tried; none: it cannot be asked. */
  readonly rpcUrls: readonly string[];
  /** Where currencies are swapped; null: nowhere. */
  readonly swap: SwapSettings | null;
  /** Whose orders are followed, and who sells; null: nobody's. */
  readonly marketplace: MarketplaceSettings | null;
  /** How its blocks are followed. */
  readonly follow?: FollowSettings;
}

/** How a platform learns of the blocks of a chain. */
export interface FollowSettings {
  /** How often it looks for new ones. */
  readonly pollMs: number;
  /** A WebSocket of the chain that announces them; null: none does. */
  readonly headsUrl: string | null;
}

/** How currencies are swapped on a chain. */
export interface SwapSettings {
  /** A router with the functions of Uniswap V2's; null: none is known. */
  readonly router: string | null;
  /** Uniswap V3; null: it is not known. */
  readonly v3: UniswapV3Settings | null;
  /** Currencies to look through for something to pay with, and for routes. */
  readonly currencies: readonly string[];
}

/** The contracts of Uniswap V3 on a chain. */
export interface UniswapV3Settings {
  /** A `Quoter` or `QuoterV2`. */
  readonly quoter: string;
  /** A `SwapRouter02`. */
  readonly router: string;
}

/** The marketplace of a chain. */
export interface MarketplaceSettings {
  /** The contract: a Seaport 1.6. */
  readonly seaport: string;
  /**
   * Number of the first block that may have orders of it; null: the one that
   * has its code.
   */
  readonly startBlock: number | null;
  /** A currency that is worth a dollar: prices are compared by it. */
  readonly dollar: string;
  /** Who takes cards for collectibles, e.g. `sardine`. */
  readonly nftCheckout: readonly string[];
  /** Who sells currencies for cards, e.g. `transak`. */
  readonly onRamp: readonly string[];
}
