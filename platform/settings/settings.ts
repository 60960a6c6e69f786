/** What is set up by `config.yaml` and the environment. */
export interface Settings {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Where the embedded database, the embedded chain and secrets are kept. */
  readonly dataFolder: string;
  /** A PostgreSQL to use; null: the embedded one. */
  readonly databaseUrl: string | null;
  /** From which all keys are derived; null: kept in the data folder. */
  readonly secret: string | null;
  readonly logLevel: LogLevel;
  readonly networks: readonly NetworkSettings[];
  /** Handle of the network of hosts addressed without one. */
  readonly defaultNetwork: string;
  readonly rateLimit: RateLimitSettings;
  /** Whether webhooks and token URIs may point at private addresses. */
  readonly allowPrivateTargets: boolean;
  /** How long running requests may take at the end, in milliseconds. */
  readonly graceMs: number;
}

/** How much is logged. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** A network of `config.yaml`. */
export interface NetworkSettings {
  readonly handle: string;
  readonly chainId: number;
  readonly nativeSymbol: string;
  /** Empty for the embedded chain until that has started. */
  readonly rpcUrls: readonly string[];
}

/** A token bucket for each access key. */
export interface RateLimitSettings {
  /** Refilled so fast. */
  readonly requestsPerSecond: number;
  /** Requests at once after a rest. */
  readonly burst: number;
}
