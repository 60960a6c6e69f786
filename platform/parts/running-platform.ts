import type { Fixtures } from "../chain/fixtures.js";
import type { DemoProject } from "../keys/demo-project.js";
import type { Platform } from "./platform.js";

/** A platform that is ready. */
export interface RunningPlatform {
  /** The base URL, e.g. `http://127.0.0.1:4242`. */
  readonly baseUrl: string;
  readonly metricsUrl: string;
  /** The URL of the project console. */
  readonly adminUrl: string;
  readonly platform: Platform;
  /** Null if there is no demo project. */
  readonly demo: RunningDemo | null;
  /** Null if no network uses the embedded chain. */
  readonly ownChain: OwnChain | null;
  /**
   * Waits for running requests to finish and stops everything that was started.
   *
   * Input: whether to report first that the platform is not ready, and to wait
   * until load balancers have noticed.
   */
  close(isDrained?: boolean): Promise<void>;
}

/** The demo project with its webhook secret and an audience. */
export interface RunningDemo extends DemoProject {
  readonly webhookSecret: string;
  /** The first audience, or null if all have been deleted. */
  readonly audience: number | null;
}

/** The embedded chain and its contents. */
export interface OwnChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly fixtures: Fixtures;
}
