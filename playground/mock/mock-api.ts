/** What the worker of the mock server offers. */
export interface MockApi {
  /**
   * Makes a mock server of a contract, which answers what comes through the
   * port. Output: the page of the explorer; null if the contract has errors.
   */
  start(
    documents: readonly (readonly [path: string, text: string])[],
    port: MessagePort,
  ): Promise<string | null>;
}
