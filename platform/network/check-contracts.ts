import type { Logger } from "pino";
import { getAddress, type PublicClient } from "viem";

import type { NetworkSettings } from "../settings/settings.js";

/**
 * Logs an error for each contract in a network's settings that does not exist
 * on its chain. Without this check, a wrong address would look like a
 * marketplace without orders, or a router without routes.
 *
 * Errors: any error from viem if the chain does not respond.
 */
export async function checkContracts(
  client: PublicClient,
  { handle, marketplace, swap }: NetworkSettings,
  log: Pick<Logger, "error">,
): Promise<void> {
  const addresses = {
    "marketplace.seaport": marketplace?.seaport,
    "marketplace.dollar": marketplace?.dollar,
    "swap.router": swap?.router,
    "swap.v3.quoter": swap?.v3?.quoter,
    "swap.v3.router": swap?.v3?.router,
  };
  const found = await Promise.all(
    Object.entries(addresses).map(async ([setting, text]) => {
      if (text === undefined || text === null) return [];
      const address = getAddress(text);
      const code = await client.getCode({ address });
      return code === undefined ? [{ setting, address }] : [];
    }),
  );
  for (const { address, setting } of found.flat()) {
    log.error(
      { setting: `networks.${handle}.${setting}`, address },
      "the settings name a contract that does not exist on the chain",
    );
  }
}
