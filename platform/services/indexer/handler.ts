import type { IndexerHandler } from "../../../generated/indexer/server.js";
import type { PlatformState } from "../../keys/state.js";
import { requireBothKeys, requireProject } from "../../keys/verify.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { addListener } from "./add-listener.js";
import { deleteListener, toWebhookListener } from "./listeners.js";

/** Creates a network's handler for the Indexer service. */
export function createIndexerHandler(
  platform: Pick<Platform, "database" | "outbound" | "settings">,
  network: Network,
): IndexerHandler<PlatformState> {
  const { chainId } = network;
  const { database } = platform;
  return {
    addWebhookListener: async ({ url, filters }, context) => {
      const projectId = requireBothKeys(context);
      const wanted = { projectId, url, filters };
      const row = await addListener(platform, network, wanted);
      return { status: true, listener: toWebhookListener(row) };
    },

    removeWebhookListener: async ({ id, projectId }, context) => {
      const own = requireBothKeys(context);
      requireProject(context, projectId);
      await deleteListener(database, { projectId: own, chainId, id });
      return { status: true };
    },
  };
}
