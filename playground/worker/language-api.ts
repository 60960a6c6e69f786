import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import type { LanguageService } from "../../generator/language-service/model/language-service.js";

/** What a visitor chooses about generated code. */
export type CodeOptions = Required<
  Pick<EmitOptions, "int64" | "language" | "timestamp">
>;

/** What is generated at first. */
export const firstOptions: CodeOptions = {
  language: "typescript",
  int64: "number",
  timestamp: "string",
};

/** What the page asks the language service. */
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

/** What the worker of the editor offers: the language service, and files. */
export interface LanguageApi extends Pick<LanguageService, Questions> {
  /** Sets what code is generated from now on, which findings depend on, too. */
  choose(options: CodeOptions): void;
  /** The files of all targets; null if the contract has errors. */
  generate(): Promise<readonly OutputFile[] | null>;
}
