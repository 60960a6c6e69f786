import type {
  EmitOptions,
  OutputFile,
} from "../../../generator/4-emit/emitter/emitter.js";
import type { LanguageService } from "../../../tools/editor/service/language-service.js";

/** The options for generated code that users can choose. */
export type CodeOptions = Required<
  Pick<EmitOptions, "int64" | "language" | "timestamp">
>;

/** The initial options. */
export const firstOptions: CodeOptions = {
  language: "typescript",
  int64: "number",
  timestamp: "string",
};

/** The functions of the language service that the page uses. */
type Questions =
  | "closeDocument"
  | "codeActions"
  | "complete"
  | "definition"
  | "diagnoseAll"
  | "format"
  | "hover"
  | "prepareRename"
  | "references"
  | "rename"
  | "semanticTokens"
  | "setDocument"
  | "signatureHelp";

/** The API of the editor's worker: the language service and the generator. */
export interface LanguageApi extends Pick<LanguageService, Questions> {
  /** Sets the options for generated code. Some diagnostics depend on them. */
  choose(options: CodeOptions): void;
  /**
   * Generates the files of all targets except the explorer. Returns null if the
   * contract has errors or no service.
   */
  generate(): Promise<readonly OutputFile[] | null>;
}
