import type { Generated } from "kysely";

import type { RefreshStatus } from "../../../generated/metadata/types.js";
import type { CreatedAt } from "./keys.js";

/**
 * What became of reading something: `found`; `missing` when chain or document
 * say that there is nothing, or nothing that can be understood; `unreachable`
 * when the host of the document did not say anything.
 */
export type Outcome = "found" | "missing" | "unreachable";

/** Tables of the metadata service. */
export interface MetadataTables {
  readonly contract_info: ContractInfoTable;
  readonly token_metadata: TokenMetadataTable;
  readonly metadata_refreshes: MetadataRefreshTable;
  readonly metadata_refresh_tokens: MetadataRefreshTokenTable;
}

/** What all that was read has in common. */
interface ReadColumns {
  readonly chain_id: number;
  /** In lower case. */
  readonly contract: string;
  /** What is answered, as JSON. */
  readonly document: string;
  readonly outcome: Outcome;
  /** Of two reads, the one with the larger number began later. */
  readonly read_number: number;
  readonly saved_at: CreatedAt;
}

/** What is known of contracts: `ContractInfo`. */
export interface ContractInfoTable extends ReadColumns {
  readonly decimals: number;
}

/** What is known of tokens: `TokenMetadata`. */
export interface TokenMetadataTable extends ReadColumns {
  /** In digits, without zeros before it. */
  readonly token_id: string;
}

/** Tasks to read tokens of a contract anew. */
export interface MetadataRefreshTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly chain_id: number;
  /** In lower case. */
  readonly contract: string;
  status: RefreshStatus;
  readonly created_at: CreatedAt;
  updated_at: Date;
}

/** Tokens that are still to be read: those that have been are gone. */
export interface MetadataRefreshTokenTable {
  readonly refresh_id: number;
  readonly token_id: string;
}
