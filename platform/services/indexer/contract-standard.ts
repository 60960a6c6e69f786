import { LRUCache } from "lru-cache";

import { UnavailableError } from "../../../generated/errors.js";
import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { Network } from "../../network/networks.js";
import { readType } from "../metadata/read-contract.js";

/** Finds the standards that contracts follow. */
export type FindStandards = (
  contracts: Iterable<string>,
) => Promise<ReadonlyMap<string, ContractType>>;

/** How long to wait before querying a contract again after a failure. */
const retryMs = 10_000;

/** The number of contracts that are queried at the same time. */
const readAtOnce = 16;

/**
 * The maximum number of contracts that a call queries. Anybody can emit logs from
 * many contracts, and blocks must not wait for all of them.
 */
const maxReads = 160;

/**
 * Creates a finder that queries each contract of a network once. If the chain
 * does not respond, the contract's standard is treated as unknown for a while,
 * so that later logs are not delayed.
 */
export function createFindStandards(network: Network): FindStandards {
  const known = new LRUCache<string, ContractType>({ max: 10_000 });
  const read = async (contract: string): Promise<void> => {
    try {
      known.set(contract, await readType({ network, contract }));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      known.set(contract, KnownContractType.UNKNOWN, { ttl: retryMs });
    }
  };
  return async (contracts) => {
    const wanted = new Set(contracts);
    const unread = [...wanted].filter((each) => !known.has(each));
    for (let start = 0; start < maxReads; start += readAtOnce) {
      await Promise.all(unread.slice(start, start + readAtOnce).map(read));
    }
    const typeOf = (contract: string): ContractType =>
      known.get(contract) ?? KnownContractType.UNKNOWN;
    return new Map([...wanted].map((each) => [each, typeOf(each)]));
  };
}
