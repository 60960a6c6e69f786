import type { Network } from "../../network/networks.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { Outcome } from "../../database/tables/metadata.js";

/** The result of a read, with a value to return for any outcome. */
export interface Reading<Value> {
  readonly value: Value;
  readonly outcome: Outcome;
  /** The reason why the outcome is not `found`; empty if it is. */
  readonly reason: string;
}

/** A contract of a chain. */
export interface ContractPlace {
  readonly network: Network;
  /** In lower case. */
  readonly contract: string;
}

/** The sources of documents. */
export interface DocumentSource {
  readonly outbound: Outbound;
  /** The base URL of an IPFS gateway. */
  readonly ipfsGateway: string;
}
