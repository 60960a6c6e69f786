import type { Generated } from "kysely";

import type { RefreshStatus } from "../../../generated/metadata/types.js";
import type { CreatedAt } from "./keys.js";

/**
 * The result of a read: `found`; `missing` if the chain or the document
 * contains no valid data; `unreachable` if the host of the document does not
 * respond or reports a temporary error.
 */
export type Outcome = "found" | "missing" | "unreachable";

/** Columns shared by all stored reads. */
interface ReadColumns {
  readonly chain_id: number;
  /** The contract, in lowercase. */
  readonly contract: string;
  /** The result, as JSON. */
  readonly document: string;
  readonly outcome: Outcome;
  /**
   * The sequence number of the read. Reads are numbered in the order in which
   * they started.
   */
  readonly read_number: number;
  readonly saved_at: CreatedAt;
}

/** Contract information, as `ContractInfo`. */
export interface ContractInfoTable extends ReadColumns {
  readonly decimals: number;
}

/** Token metadata, as `TokenMetadata`. */
export interface TokenMetadataTable extends ReadColumns {
  /** The token ID, in decimal digits without leading zeros. */
  readonly token_id: string;
}

/** Tasks that refresh the tokens of a contract. */
export interface MetadataRefreshTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly chain_id: number;
  /** The contract, in lowercase. */
  readonly contract: string;
  status: RefreshStatus;
  readonly created_at: CreatedAt;
  updated_at: Date;
}

/**
 * Tokens that a task has not read yet. A row is deleted once its token is read.
 */
export interface MetadataRefreshTokenTable {
  readonly refresh_id: number;
  readonly token_id: string;
}
