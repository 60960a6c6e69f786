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
export const builtInErrors: readonly ErrorRow[] = [
  row("WebrpcEndpoint", 0, "endpoint error", 400),
  row("WebrpcRequestFailed", -1, "request failed", 400),
  row("WebrpcBadRoute", -2, "bad route", 404),
  row("WebrpcBadMethod", -3, "bad method", 405),
  row("WebrpcBadRequest", -4, "bad request", 400),
  row("WebrpcBadResponse", -5, "bad response", 500),
  row("WebrpcServerPanic", -6, "server panic", 500),
  row("WebrpcInternalError", -7, "internal error", 500),
  row("WebrpcClientDisconnected", -8, "client disconnected", 400),
  row("WebrpcStreamLost", -9, "stream lost", 400),
];

function row(
  name: string,
  code: number,
  message: string,
  status: number,
): ErrorRow {
  return { name, code, message, status };
}
