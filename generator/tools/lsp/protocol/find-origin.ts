import {
  ProtocolRequestType,
  type LocationLink,
  type TextDocumentPositionParams,
} from "vscode-languageserver-protocol";

/** Asks about a name in a generated file, at the place that declares it. */
export interface FindOriginParams extends TextDocumentPositionParams {
  /** Text of the file; the server does not follow changes of such files. */
  readonly text: string;
}

/**
 * `ridl/findOrigin`: the declaration in RIDL that a generated name comes from;
 * null for other files and names.
 */
export const FindOriginRequest = new ProtocolRequestType<
  FindOriginParams,
  LocationLink | null,
  never,
  void,
  void
>("ridl/findOrigin");
