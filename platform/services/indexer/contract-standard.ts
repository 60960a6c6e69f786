import { LRUCache } from "lru-cache";

import { UnavailableError } from "../../../generated/errors.js";
import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { Network } from "../../network/networks.js";
import { readType } from "../metadata/read-contract.js";

/** Finds the standard that a contract follows. */
export type FindStandard = (contract: string) => Promise<ContractType>;

/** How long to wait before querying a contract again after a failure. */
const retryMs = 10_000;

/**
 * Creates a finder that queries each contract of a network once. If the chain
 * does not respond, the contract's standard is treated as unknown for a while,
 * so that later logs are not delayed.
 */
export function createFindStandard(network: Network): FindStandard {
  const known = new LRUCache<string, ContractType>({ max: 10_000 });
  return async (contract) => {
    const remembered = known.get(contract);
    if (remembered !== undefined) return remembered;
    try {
      const found = await readType({ network, contract });
      known.set(contract, found);
      return found;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      known.set(contract, KnownContractType.UNKNOWN, { ttl: retryMs });
      return KnownContractType.UNKNOWN;
    }
  };
}
