import {
  ProtocolRequestType,
  type LocationLink,
  type TextDocumentPositionParams,
} from "vscode-languageserver-protocol";

/** Identifies a name in a generated file by the position of its declaration. */
export interface FindOriginParams extends TextDocumentPositionParams {
  /** Text of the file, because the server does not track such files. */
  readonly text: string;
}

/**
 * `ridl/findOrigin` finds the RIDL declaration that a generated name comes
 * from, or null for other files and names.
 */
export const FindOriginRequest = new ProtocolRequestType<
  FindOriginParams,
  LocationLink | null,
  never,
  void,
  void
>("ridl/findOrigin");
