import type { GasSponsor } from "../../generated/index.js";
import type { RelayerHandler } from "../../generated/relayer/server.js";
import { requireDemoProject } from "./credentials.js";

/** Creates the handler for one chain's relayer. It keeps sponsors in memory. */
export function createRelayerHandler(chainId: number): RelayerHandler {
  const sponsors = new Map<string, GasSponsor>();
  return {
    addGasSponsor: ({ projectId, address, name = "", active = true }) => {
      requireDemoProject(projectId);
      const key = address.toLowerCase();
      const now = new Date().toISOString();
      const known = sponsors.get(key);
      const gasSponsor = {
        id: known?.id ?? sponsors.size + 1,
        gasTankId: 1,
        projectId,
        chainId,
        address: key,
        name,
        active,
        updatedAt: now,
        createdAt: known?.createdAt ?? now,
      };
      sponsors.set(key, gasSponsor);
      return { status: true, gasSponsor };
    },
  };
}
