import type { RelayerHandler } from "../../../generated/relayer/server.js";
import type { PlatformState } from "../../keys/state.js";
import { requireBothKeys } from "../../keys/verify.js";
import type { Network } from "../../network/networks.js";
import type { Answers } from "../../parts/answers.js";
import type { Platform } from "../../parts/platform.js";
import { saveSponsorWithin, toGasSponsor } from "./gas-sponsors.js";

/** Creates a network's handler for the Relayer service. */
export function createRelayerHandler(
  { settings }: Pick<Platform, "settings">,
  answers: Answers,
  { chainId }: Pick<Network, "chainId">,
): RelayerHandler<PlatformState> {
  return {
    addGasSponsor: async (request, context) => {
      const { projectId, address, name = "", active = true } = request;
      requireBothKeys(context, projectId);
      const sponsor = { projectId, chainId, address, name, active };
      const max = settings.sponsorsPerProject;
      const row = await answers.join(context, (transaction) =>
        saveSponsorWithin(transaction, sponsor, max),
      );
      return { status: true, gasSponsor: toGasSponsor(row) };
    },
  };
}
