/** One row of the error table. */
export interface ErrorRow {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly status: number;
}

/**
 * The errors that every service may answer. The runtime has the same table;
 * a test holds the two together.
 *
 * Source: the interface document, section 7.
 */
export const builtInErrors: readonly ErrorRow[] = [
  { name: "WebrpcEndpoint", code: 0, message: "endpoint error", status: 400 },
  {
    name: "WebrpcRequestFailed",
    code: -1,
    message: "request failed",
    status: 400,
  },
  { name: "WebrpcBadRoute", code: -2, message: "bad route", status: 404 },
  { name: "WebrpcBadMethod", code: -3, message: "bad method", status: 405 },
  { name: "WebrpcBadRequest", code: -4, message: "bad request", status: 400 },
  { name: "WebrpcBadResponse", code: -5, message: "bad response", status: 500 },
  { name: "WebrpcServerPanic", code: -6, message: "server panic", status: 500 },
  {
    name: "WebrpcInternalError",
    code: -7,
    message: "internal error",
    status: 500,
  },
  {
    name: "WebrpcClientDisconnected",
    code: -8,
    message: "client disconnected",
    status: 400,
  },
  { name: "WebrpcStreamLost", code: -9, message: "stream lost", status: 400 },
];
