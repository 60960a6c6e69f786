import { InvalidArgumentError } from "../../generated/index.js";

/** Chain IDs of some of the platform's networks, by handle. */
const chainIds: ReadonlyMap<string, number> = new Map([
  ["mainnet", 1],
  ["sepolia", 11155111],
  ["polygon", 137],
  ["amoy", 80002],
  ["arbitrum", 42161],
  ["optimism", 10],
  ["base", 8453],
  ["xai-sepolia", 37714555429],
  ["hardhat", 31337],
]);

/**
 * Returns the chain ID for a handle or a decimal chain ID, or null if it is
 * unknown.
 */
export function findChainId(network: string): number | null {
  const byHandle = chainIds.get(network.toLowerCase());
  if (byHandle !== undefined) return byHandle;
  const known = [...chainIds.values()];
  return known.find((chainId) => String(chainId) === network) ?? null;
}

/**
 * Returns the chain ID for a request field.
 *
 * Errors: `InvalidArgument` if the network is unknown.
 */
export function requireChainId(field: string, network: string): number {
  const chainId = findChainId(network);
  if (chainId !== null) return chainId;
  const cause = `${field}: expected a supported network, got "${network}"`;
  throw new InvalidArgumentError({ cause });
}
