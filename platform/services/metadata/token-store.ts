import { type Kysely, sql } from "kysely";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { prepared } from "../../database/prepared.js";
import type { Tables } from "../../database/schema.js";
import type { ContractPlace, Reading } from "./reading.js";

/**
 * Returns stored tokens by ID, except tokens that could not be read and are due
 * for another attempt.
 */
export async function findTokens(
  database: Kysely<Tables>,
  { network, contract }: ContractPlace,
  tokenIds: readonly string[],
): Promise<Map<string, TokenMetadata>> {
  const rows = await database
    .selectFrom("token_metadata")
    .modifyFront(prepared)
    .select(["token_id", "document"])
    .where("chain_id", "=", network.chainId)
    .where("contract", "=", contract)
    .where(sql<boolean>`token_id = any(${tokenIds}::text[])`)
    .where(isUsable)
    .execute();
  return new Map(
    rows.map(({ token_id, document }) => [
      token_id,
      // The document was stored by `saveTokens`.
      parseJson(document) as TokenMetadata,
    ]),
  );
}

/** Found data stays valid. Everything else is read again after a minute. */
export const isUsable = sql<boolean>`
  (outcome = 'found' or saved_at > now() - interval '1 minute')`;

/** Stores the data that was read for distinct tokens of a contract. */
export async function saveTokens(
  database: Kysely<Tables>,
  { network, contract }: ContractPlace,
  readNumber: number,
  readings: readonly Reading<TokenMetadata>[],
): Promise<void> {
  if (readings.length === 0) return;
  const rows = readings.map(({ value, outcome }) => ({
    chain_id: network.chainId,
    contract,
    token_id: value.tokenId,
    document: stringifyJson(value),
    outcome,
    read_number: readNumber,
  }));
  await database
    .insertInto("token_metadata")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "contract", "token_id"])
        .doUpdateSet(replacement)
        .where(replaces("token_metadata")),
    )
    .execute();
}

/** The columns that a later read replaces. */
export const replacement = {
  document: sql<string>`excluded.document`,
  outcome: sql<Reading<unknown>["outcome"]>`excluded.outcome`,
  read_number: sql<number>`excluded.read_number`,
  saved_at: sql<Date>`now()`,
};

/**
 * Returns the SQL condition for a read to replace the stored row: the read must
 * have started later, and either it reached the document or the stored row has
 * no data to lose.
 */
export function replaces(table: "token_metadata" | "contract_info") {
  const there = sql.table(table);
  return sql<boolean>`
    ${there}.read_number < excluded.read_number
    and (excluded.outcome <> 'unreachable' or ${there}.outcome <> 'found')`;
}

/**
 * Returns the sequence number of a new read. A result is only stored if no
 * later read has been stored, so that a slow read does not undo a refresh.
 */
export async function drawReadNumber(
  database: Kysely<Tables>,
): Promise<number> {
  const { rows } = await sql<{ readonly number: number }>`
    select nextval('metadata_reads') as number`.execute(database);
  return rows[0]?.number ?? 0;
}
