import { rmSync } from "node:fs";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { type ChainWallet, openChainWallet } from "../../chain/chain-wallet.js";
import {
  makeDataFolder,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../start/start-platform.js";

/** A platform in a separate process, as users run it. */
export interface RunningPlatform {
  readonly ready: Ready;
  /** A client with the keys of the demo project. */
  readonly client: PlatformClient;
  /** The wallet of the fixtures' user on the chain. */
  readonly user: ChainWallet;
  stop(): Promise<void>;
}

/** Starts the platform with its own database and chain. */
export async function startRunning(): Promise<RunningPlatform> {
  const folder = makeDataFolder();
  const started = spawnPlatform(folder, {
    ALLOW_PRIVATE_TARGETS: "true",
  });
  const ready = await started.ready;
  const { accessKey, chainId, chainUrl, network, secret, services } = ready;
  const account = createFixtureAccounts().user;
  return {
    ready,
    client: createPlatformClient({
      hosts: services,
      parameters: { network },
      credentials: { accessKey, secret },
    }),
    user: openChainWallet(chainUrl, chainId, account),
    stop: async () => {
      await started.end("SIGTERM");
      await waitUntilGone(folder);
      rmSync(folder, { recursive: true });
    },
  };
}
