import type { Network } from "../../network/networks.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { Outcome } from "../../database/tables/metadata.js";

/** The result of a read. Every outcome has a value to return. */
export interface Reading<Value> {
  readonly value: Value;
  readonly outcome: Outcome;
  /** The reason why the outcome is not `found`, or empty if it is. */
  readonly reason: string;
}

/** A contract on a chain. */
export interface ContractPlace {
  readonly network: Network;
  /** The contract, in lowercase. */
  readonly contract: string;
}

/** The sources of documents. */
export interface DocumentSource {
  readonly outbound: Outbound;
  /** The base URL of an IPFS gateway. */
  readonly ipfsGateway: string;
}

/** The result of a read and the size of the documents that it has stored. */
export interface Stored<Value> {
  readonly value: Value;
  readonly bytes: number;
}
