import type { Fixtures } from "../chain/fixtures.js";
import type { DemoProject } from "../keys/demo-project.js";
import type { Platform } from "./platform.js";

/** A platform that is ready. */
export interface RunningPlatform {
  /** E.g. `http://127.0.0.1:4242`. */
  readonly baseUrl: string;
  readonly metricsUrl: string;
  /** Where the project console is. */
  readonly adminUrl: string;
  readonly platform: Platform;
  /** null: there is none. */
  readonly demo: RunningDemo | null;
  /** null: no network runs in a chain of its own. */
  readonly ownChain: OwnChain | null;
  /** Answers what is running, and stops everything that was started. */
  close(): Promise<void>;
}

/** The demo project, and what its webhooks are signed with. */
export interface RunningDemo extends DemoProject {
  readonly webhookSecret: string;
}

/** The chain of our own, and what there is on it. */
export interface OwnChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly fixtures: Fixtures;
}
