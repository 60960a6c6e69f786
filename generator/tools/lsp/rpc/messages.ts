import type * as protocol from "vscode-languageserver-protocol";
import type { FindOriginMessage } from "./find-origin.js";

/** What the protocol's package declares about a message. */
type Declared =
  | Extract<
      (typeof protocol)[keyof typeof protocol],
      { readonly method: string; readonly type: { readonly _?: unknown } }
    >
  | FindOriginMessage;

/** Types of a message: its parameters, followed by its result. */
type TypesOf<Name extends RpcMethod> = NonNullable<
  Extract<Declared, { readonly method: Name }>["type"]["_"]
>;

/** The name of a request or notification, such as `textDocument/hover`. */
export type RpcMethod = Declared["method"];

/** The parameters of a request or notification. */
export type ParamsOf<Name extends RpcMethod> = TypesOf<Name>[0];

/** The result of a request. */
export type ResultOf<Name extends RpcMethod> = TypesOf<Name>[1];

/** Error codes. Source: JSON-RPC 2.0 and the Language Server Protocol. */
export const errorCodes = {
  methodNotFound: -32601,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  requestFailed: -32803,
} as const;

/** A failure of a request, whose code and message the client receives. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: number;

  constructor(code: keyof typeof errorCodes, message: string) {
    super(message);
    this.code = errorCodes[code];
  }
}
