import { InvalidArgumentError } from "../../generated/errors.js";
import type { Network, Networks } from "./networks.js";

/**
 * Returns the network that a request field names.
 *
 * Errors: `InvalidArgument` if it is unknown.
 */
export function requireNetwork(
  networks: Networks,
  field: string,
  name: string,
): Network {
  const network = networks.find(name);
  if (network !== null) return network;
  const cause = `${field}: expected a supported network, got "${name}"`;
  throw new InvalidArgumentError({ cause });
}
