import { sql } from "kysely";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

import type { ContractInfo } from "../../../generated/metadata/types.js";
import { piecesOf } from "../../database/pieces.js";
import { prepared } from "../../database/prepared.js";
import type { Database } from "../../database/schema.js";
import { createBatch } from "../../process/concurrency/batch.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import type { Contract } from "./read-contract.js";
import type { ContractPlace, Reading } from "./reading.js";
import { isUsable, maxShared, replacement, replaces } from "./token-store.js";

/**
 * Returns stored contracts on a network by address, except contracts that could
 * not be read completely and are due for another attempt.
 */
export type FindStored = (
  chainId: number,
  contracts: readonly string[],
) => Promise<Map<string, Contract>>;

/** A call of `FindStored`. */
interface Search {
  readonly chainId: number;
  readonly contracts: readonly string[];
  readonly found: Map<string, Contract>;
}

/** Creates a function that shares a statement between waiting calls. */
export function createFindStored(database: Database): FindStored {
  const find = (searches: readonly Search[]) => findAll(database, searches);
  const share = createBatch(find);
  return async (chainId, contracts) => {
    const search: Search = { chainId, contracts, found: new Map() };
    await (contracts.length > maxShared ? find([search]) : share(search));
    return search.found;
  };
}

async function findAll(
  database: Database,
  searches: readonly Search[],
): Promise<void> {
  const wanted = new Map(
    searches.flatMap(({ chainId, contracts }) =>
      contracts.map((each) => [`${chainId}/${each}`, [chainId, each]] as const),
    ),
  );
  const stored = new Map<string, Contract>();
  for (const some of piecesOf([...wanted.values()])) {
    const { rows } = await sql<{
      readonly key: string;
      readonly decimals: number;
      readonly document: string;
    }>`
      select ${prepared} chain_id || '/' || contract as key, decimals, document
      from unnest(
        ${some.map(([chainId]) => chainId)}::bigint[],
        ${some.map(([, contract]) => contract)}::text[]
      ) as _ (chain_id, contract)
      join contract_info using (chain_id, contract)
      where ${isUsable}`.execute(database);
    for (const { key, decimals, document } of rows) {
      await giveWay();
      // The document was stored by `saveContract`.
      const info = parseJson(document) as ContractInfo;
      stored.set(key, { info, decimals });
    }
  }
  for (const { chainId, contracts, found } of searches) {
    for (const each of contracts) {
      const contract = stored.get(`${chainId}/${each}`);
      if (contract !== undefined) found.set(each, contract);
    }
  }
}

/** Stores the data that was read from a contract. */
export async function saveContract(
  database: Database,
  { network, contract }: ContractPlace,
  readNumber: number,
  { value: { info, decimals }, outcome }: Reading<Contract>,
): Promise<void> {
  await database
    .insertInto("contract_info")
    .values({
      chain_id: network.chainId,
      contract,
      decimals,
      document: stringifyJson(info),
      outcome,
      read_number: readNumber,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "contract"])
        .doUpdateSet({
          ...replacement,
          decimals: sql<number>`excluded.decimals`,
        })
        .where(replaces("contract_info")),
    )
    .execute();
}
