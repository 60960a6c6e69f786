/** Human-readable descriptions of the built-in errors. Source: docs/wire.md. */
export const builtInDescriptions: Readonly<Record<string, string>> = {
  WebrpcEndpoint: "A failure without a more specific error.",
  WebrpcRequestFailed:
    "The request failed because the server is busy or took too long.",
  WebrpcBadRoute: "There is no method at this address.",
  WebrpcBadMethod: "The address requires a different HTTP verb.",
  WebrpcBadRequest: "The request is invalid or does not follow the protocol.",
  WebrpcBadResponse:
    "The server produced a response that violates its contract.",
  WebrpcServerPanic: "The server failed while it was responding.",
  WebrpcInternalError: "The server failed. Its log contains the reason.",
  WebrpcClientDisconnected: "The caller disconnected before the response.",
  WebrpcStreamLost: "The stream ended prematurely.",
};
