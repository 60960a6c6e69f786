import type { RelayerHandler } from "../../../generated/relayer/server.js";
import type { PlatformState } from "../../keys/state.js";
import { requireBothKeys } from "../../keys/verify.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { saveGasSponsor, toGasSponsor } from "./gas-sponsors.js";

/** Creates a network's handler for the Relayer service. */
export function createRelayerHandler(
  { database, settings }: Pick<Platform, "database" | "settings">,
  { chainId }: Pick<Network, "chainId">,
): RelayerHandler<PlatformState> {
  return {
    addGasSponsor: async (request, context) => {
      const { projectId, address, name = "", active = true } = request;
      requireBothKeys(context, projectId);
      const sponsor = { projectId, chainId, address, name, active };
      const max = settings.sponsorsPerProject;
      return {
        status: true,
        gasSponsor: toGasSponsor(await saveGasSponsor(database, sponsor, max)),
      };
    },
  };
}
