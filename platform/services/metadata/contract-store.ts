import { sql } from "kysely";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

import type { ContractInfo } from "../../../generated/metadata/types.js";
import type { Database } from "../../database/schema.js";
import type { Contract } from "./read-contract.js";
import type { ContractPlace, Reading } from "./reading.js";
import { isUsable, replacement, replaces } from "./token-store.js";

/**
 * Returns stored contracts on a network by address, except contracts that could
 * not be read completely and are due for another attempt.
 */
export async function findContracts(
  database: Database,
  chainId: number,
  contracts: readonly string[],
): Promise<Map<string, Contract>> {
  const rows = await database
    .selectFrom("contract_info")
    .select(["contract", "decimals", "document"])
    .where("chain_id", "=", chainId)
    .where(sql<boolean>`contract = any(${contracts}::text[])`)
    .where(isUsable)
    .execute();
  return new Map(
    rows.map(({ contract, decimals, document }) => [
      contract,
      // The document was stored by `saveContract`.
      { info: parseJson(document) as ContractInfo, decimals },
    ]),
  );
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
