/** One row of the error table. */
export interface ErrorRow {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
}

/**
 * The errors that every method can return, as in docs/wire.md. The runtime has
 * the same table, and a test compares the two.
 */
export const builtInErrors: readonly ErrorRow[] = (
  [
    ["WebrpcEndpoint", 0, "endpoint error", 400],
    ["WebrpcRequestFailed", -1, "request failed", 400],
    ["WebrpcBadRoute", -2, "bad route", 404],
    ["WebrpcBadMethod", -3, "bad method", 405],
    ["WebrpcBadRequest", -4, "bad request", 400],
    ["WebrpcBadResponse", -5, "bad response", 500],
    ["WebrpcServerPanic", -6, "server panic", 500],
    ["WebrpcInternalError", -7, "internal error", 500],
    ["WebrpcClientDisconnected", -8, "client disconnected", 400],
    ["WebrpcStreamLost", -9, "stream lost", 400],
  ] as const
).map(([name, code, message, status]) => ({ name, code, message, status }));
