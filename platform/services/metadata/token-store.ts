import { type Insertable, sql } from "kysely";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { prepare } from "../../database/prepared.js";
import type { Database, Tables } from "../../database/schema.js";
import { shareFinds } from "../../database/share-finds.js";
import { storedSizeOf } from "../../database/stored-documents.js";
import type { Network } from "../../network/networks.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import type { ContractPlace, Reading } from "./reading.js";

/**
 * Returns stored tokens by ID, except tokens that could not be read and are due
 * for another attempt.
 */
export type FindTokens = (
  place: ContractPlace,
  tokenIds: readonly string[],
) => Promise<Map<string, TokenMetadata>>;

/** Creates a function that shares a statement between waiting calls. */
export function createFindTokens(database: Database): FindTokens {
  return shareFinds(keyOf, async (wanted) => {
    const rows = await selectTokens(
      database,
      wanted.map(({ key }) => key),
      wanted.map(({ place }) => place.network.chainId),
      wanted.map(({ place }) => place.contract),
      wanted.map(({ id }) => id),
    );
    // `saveTokens` stored the documents.
    return rows.map(({ key, document }) => [
      key,
      () => parseJson(document) as TokenMetadata,
    ]);
  });
}

const selectTokens = prepare(
  (
    database,
    keys: readonly string[],
    chainIds: readonly number[],
    contracts: readonly string[],
    ids: readonly string[],
  ) =>
    sql<{ readonly key: string; readonly document: string }>`
      select key, document
      from unnest(
        ${keys}::text[], ${chainIds}::bigint[], ${contracts}::text[], ${ids}::text[]
      ) as _ (key, chain_id, contract, token_id)
      join token_metadata using (chain_id, contract, token_id)
      where ${isUsable}`.compile(database),
);

/** Returns the contracts of which tokens are stored. */
export async function findContractsWithTokens(
  database: Database,
  { chainId }: Network,
  contracts: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly contract: string }>`
    select contract from unnest(${contracts}::text[]) as asked (contract)
    where exists (select from token_metadata as token
      where token.chain_id = ${chainId} and token.contract = asked.contract)
    `.execute(database);
  return new Set(rows.map(({ contract }) => contract));
}

/** Returns a key that identifies a token on all networks. */
export function keyOf(
  { network, contract }: ContractPlace,
  tokenId: string,
): string {
  return `${network.chainId}/${contract}/${tokenId}`;
}

/** Found data stays valid. Everything else is read again after a minute. */
export const isUsable = sql<boolean>`
  (outcome = 'found' or saved_at > now() - interval '1 minute')`;

/**
 * Stores the data that was read for distinct tokens of a contract. Returns what
 * they take up in bytes.
 */
export async function saveTokens(
  database: Database,
  { network, contract }: ContractPlace,
  readNumber: number,
  readings: readonly Reading<TokenMetadata>[],
): Promise<number> {
  if (readings.length === 0) return 0;
  let bytes = 0;
  const rows: Insertable<Tables["token_metadata"]>[] = [];
  for (const { value, outcome } of readings) {
    await giveWay();
    const document = stringifyJson(value);
    bytes += storedSizeOf(document);
    rows.push({
      chain_id: network.chainId,
      contract,
      token_id: value.tokenId,
      document,
      outcome,
      read_number: readNumber,
    });
  }
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
  return bytes;
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
 * no data to lose. If only the read reached the document, it can also have started
 * earlier, because otherwise the result of a refresh would be lost.
 */
export function replaces(table: "token_metadata" | "contract_info") {
  const there = sql.table(table);
  return sql<boolean>`
    (${there}.read_number < excluded.read_number
      and (excluded.outcome <> 'unreachable' or ${there}.outcome <> 'found'))
    or (${there}.outcome = 'unreachable' and excluded.outcome <> 'unreachable')`;
}

/**
 * Returns the sequence number of a new read. A result is only stored if no
 * later read has been stored, so that a slow read does not undo a refresh.
 */
export async function drawReadNumber(database: Database): Promise<number> {
  const { rows } = await sql<{ readonly number: number }>`
    select nextval('metadata_reads') as number`.execute(database);
  return rows[0]?.number ?? 0;
}
