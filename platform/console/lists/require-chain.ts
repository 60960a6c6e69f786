import type { Network, Networks } from "../../network/networks.js";
import { notFound } from "./require-project.js";

/** Returns the network with a chain ID. Errors: `NotFound`. */
export function requireChain(
  networks: Pick<Networks, "find">,
  chainId: number,
): Network {
  return (
    networks.find(String(chainId)) ??
    notFound("chainId", `the platform has no chain ${chainId}`)
  );
}
