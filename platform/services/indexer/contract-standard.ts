import { UnavailableError } from "../../../generated/errors.js";
import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { Network } from "../../network/networks.js";
import { readType } from "../metadata/read-contract.js";

/** Finds out which standard a contract follows. */
export type FindStandard = (contract: string) => Promise<ContractType>;

/** How many contracts are remembered. */
const maxRemembered = 10_000;

/**
 * Asks the chain of a network, once for each contract. One that cannot be asked
 * is not known: it must not hold up all that comes after it.
 */
export function createFindStandard(network: Network): FindStandard {
  const known = new Map<string, ContractType>();
  return async (contract) => {
    const remembered = known.get(contract);
    if (remembered !== undefined) return remembered;
    try {
      const found = await readType({ network, contract });
      if (known.size >= maxRemembered) known.clear();
      known.set(contract, found);
      return found;
    } catch (error) {
      if (error instanceof UnavailableError) return KnownContractType.UNKNOWN;
      throw error;
    }
  };
}
