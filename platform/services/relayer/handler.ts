import { InvalidArgumentError } from "../../../generated/errors.js";
import type { RelayerHandler } from "../../../generated/relayer/server.js";
import type { PlatformState } from "../../keys/state.js";
import { requireProject } from "../../keys/verify.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../platform.js";
import { saveGasSponsor } from "./gas-sponsors.js";

/** The Relayer service of one network. */
export function createRelayerHandler(
  { database }: Pick<Platform, "database">,
  { chainId }: Pick<Network, "chainId">,
): RelayerHandler<PlatformState> {
  return {
    addGasSponsor: async (request, context) => {
      const { projectId, address, name = "", active = true } = request;
      requireProject(context, projectId);
      // PostgreSQL keeps every text but such.
      if (name.includes("\0")) {
        const cause = "name: expected a text without the character U+0000";
        throw new InvalidArgumentError({ cause });
      }
      const sponsor = { projectId, chainId, address, name, active };
      return {
        status: true,
        gasSponsor: await saveGasSponsor(database, sponsor),
      };
    },
  };
}
