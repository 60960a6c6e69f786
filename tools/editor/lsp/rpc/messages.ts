import type * as protocol from "vscode-languageserver-protocol";
import type {
  LocationLink,
  TextDocumentPositionParams,
} from "vscode-languageserver-protocol";

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

/** Identifies a name in a generated file by the position of its declaration. */
interface FindOriginParams extends TextDocumentPositionParams {
  /** Text of the file, because the server does not track such files. */
  readonly text: string;
}

/**
 * The request `ridl/findOrigin` finds the RIDL declaration that a generated
 * name comes from. The result is null for other files and names.
 */
interface FindOriginMessage {
  readonly method: "ridl/findOrigin";
  readonly type: { readonly _?: [FindOriginParams, LocationLink | null] };
}
