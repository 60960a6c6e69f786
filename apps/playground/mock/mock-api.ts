/** The API of the mock server's worker. */
export interface MockApi {
  /**
   * Starts a mock server for a contract, which handles requests from the port.
   * Returns the page of the explorer, or null if the contract has errors or no
   * service.
   */
  start(
    documents: readonly (readonly [path: string, text: string])[],
    port: MessagePort,
  ): Promise<string | null>;
}
