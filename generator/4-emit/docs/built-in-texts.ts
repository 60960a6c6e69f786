/** What people are told of the built-in errors. Source: docs/wire.md. */
export const builtInTexts: Readonly<Record<string, string>> = {
  WebrpcEndpoint: "Something failed that has no error of its own.",
  WebrpcRequestFailed:
    "The request did not get through: the server is busy, or took too long.",
  WebrpcBadRoute: "No method answers at this address.",
  WebrpcBadMethod: "The address answers to another HTTP verb.",
  WebrpcBadRequest: "The request is not of this protocol, or does not fit.",
  WebrpcBadResponse: "The server made an answer that its contract refuses.",
  WebrpcServerPanic: "The server broke off while it answered.",
  WebrpcInternalError: "The server failed; its log says why.",
  WebrpcClientDisconnected: "The caller went away before the answer.",
  WebrpcStreamLost: "The stream broke off before its end.",
};
