import type {
  LocationLink,
  TextDocumentPositionParams,
} from "vscode-languageserver-protocol";

/** Identifies a name in a generated file by the position of its declaration. */
export interface FindOriginParams extends TextDocumentPositionParams {
  /** Text of the file, because the server does not track such files. */
  readonly text: string;
}

/**
 * The request `ridl/findOrigin` finds the RIDL declaration that a generated
 * name comes from. The result is null for other files and names.
 */
export interface FindOriginMessage {
  readonly method: "ridl/findOrigin";
  readonly type: { readonly _?: [FindOriginParams, LocationLink | null] };
}
