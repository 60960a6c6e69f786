import type { Network } from "../../network/networks.js";
import type { Outbound } from "../../outbound/outbound.js";
import type { Outcome } from "../../database/tables/metadata.js";

/** Something that was read; what there is to answer with, whatever it is. */
export interface Reading<Value> {
  readonly value: Value;
  readonly outcome: Outcome;
  /** Why it is not `found`; empty when it is. */
  readonly reason: string;
}

/** A contract of a chain. */
export interface ContractPlace {
  readonly network: Network;
  /** In lower case. */
  readonly contract: string;
}

/** Where documents come from. */
export interface DocumentSource {
  readonly outbound: Outbound;
  /** Base address of an HTTP gateway of IPFS. */
  readonly ipfsGateway: string;
}
