import type { ClientOptions } from "@ridlkit/runtime/client";

/** The client that is generated from a contract, whose name replaces this one. */
export type ContractClient = object;

interface ContractOptions extends ClientOptions {
  readonly credentials?: Readonly<Record<string, () => Promise<string>>>;
}

/** Creates this client. */
export declare function createContractClient(
  options: ContractOptions,
): ContractClient;
