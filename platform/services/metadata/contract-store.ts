import { sql } from "kysely";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

import type { ContractInfo } from "../../../generated/metadata/types.js";
import { prepare } from "../../database/prepared.js";
import type { Database } from "../../database/schema.js";
import { shareFinds } from "../../database/share-finds.js";
import { storedSizeOf } from "../../database/stored-documents.js";
import type { Contract } from "./read-contract.js";
import type { ContractPlace, Reading } from "./reading.js";
import { isUsable, replacement, replaces } from "./token-store.js";

/**
 * Returns stored contracts on a network by address, except contracts that could
 * not be read completely and are due for another attempt.
 */
export type FindStored = (
  chainId: number,
  contracts: readonly string[],
) => Promise<Map<string, Contract>>;

/** Creates a function that shares a statement between waiting calls. */
export function createFindStored(database: Database): FindStored {
  const keyOf = (chainId: number, contract: string) => `${chainId}/${contract}`;
  return shareFinds(keyOf, async (wanted) => {
    const rows = await selectStored(
      database,
      wanted.map(({ key }) => key),
      wanted.map(({ place }) => place),
      wanted.map(({ id }) => id),
    );
    return rows.map(({ key, decimals, document }) => [
      key,
      // The document was stored by `saveContract`.
      () => ({ info: parseJson(document) as ContractInfo, decimals }),
    ]);
  });
}

const selectStored = prepare(
  (
    database,
    keys: readonly string[],
    chainIds: readonly number[],
    contracts: readonly string[],
  ) =>
    sql<{
      readonly key: string;
      readonly decimals: number;
      readonly document: string;
    }>`
      select key, decimals, document
      from unnest(
        ${keys}::text[], ${chainIds}::bigint[], ${contracts}::text[]
      ) as _ (key, chain_id, contract)
      join contract_info using (chain_id, contract)
      where ${isUsable}`.compile(database),
);

/**
 * Stores the data that was read from a contract. Returns what it takes up in
 * bytes.
 */
export async function saveContract(
  database: Database,
  { network, contract }: ContractPlace,
  readNumber: number,
  { value: { info, decimals }, outcome }: Reading<Contract>,
): Promise<number> {
  const document = stringifyJson(info);
  await database
    .insertInto("contract_info")
    .values({
      chain_id: network.chainId,
      contract,
      decimals,
      document,
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
  return storedSizeOf(document);
}
