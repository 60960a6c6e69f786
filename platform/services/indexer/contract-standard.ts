import { LRUCache } from "lru-cache";

import { UnavailableError } from "../../../generated/errors.js";
import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { Network } from "../../network/networks.js";
import { readType } from "../metadata/read-contract.js";

/** Finds out which standard a contract follows. */
export type FindStandard = (contract: string) => Promise<ContractType>;

/** A contract that could not be asked is asked again after that long. */
const unknownMs = 10_000;

/**
 * Asks the chain of a network, once for each contract. One that cannot be asked
 * is not known: it must not hold up all that comes after it.
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
      known.set(contract, KnownContractType.UNKNOWN, { ttl: unknownMs });
      return KnownContractType.UNKNOWN;
    }
  };
}
