/** Where a subscription starts, and when it ends. */
export interface SubscribeOptions {
  /**
   * The cursor of the last item that the client has seen. Default: it has seen
   * none.
   */
  readonly after?: number | bigint | string | undefined;
  /** Without a cursor: the first item. Default: `oldest`. */
  readonly from?: "oldest" | "newest";
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}
