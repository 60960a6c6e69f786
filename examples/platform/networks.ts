import { InvalidArgumentError } from "../../generated/index.js";

/** Some of the networks of the platform: chain id by handle. */
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

/** Chain id of a handle, or of a chain id in digits; null when unknown. */
export function findChainId(network: string): number | null {
  const byHandle = chainIds.get(network.toLowerCase());
  if (byHandle !== undefined) return byHandle;
  const known = [...chainIds.values()];
  return known.find((chainId) => String(chainId) === network) ?? null;
}

/**
 * The same for a request field.
 *
 * Errors: `InvalidArgument` when the network is unknown.
 */
export function requireChainId(field: string, network: string): number {
  const chainId = findChainId(network);
  if (chainId !== null) return chainId;
  const cause = `${field}: expected a supported network, got "${network}"`;
  throw new InvalidArgumentError({ cause });
}
