import type { EmitOptions } from "../../4-emit/emitter.js";
import type { Location } from "../../source/source.js";

/** What `ridl.config.yaml` says, defaults filled in. */
export interface Config {
  /** Patterns of the documents, relative to the configuration file. */
  readonly schema: readonly SchemaPattern[];
  /** Output folder, relative to the configuration file. */
  readonly out: string;
  /** Names of emitters; null means all. */
  readonly emit: readonly string[] | null;
  readonly options: EmitOptions;
}

/** One pattern, and where it was written. */
export interface SchemaPattern {
  readonly pattern: string;
  /** null when it was given on the command line. */
  readonly location: Location | null;
}

/** The name looked for when `--config` does not give another. */
export const configFileName = "ridl.config.yaml";

/** What holds where the configuration says nothing. */
export const defaultConfig: Config = {
  schema: [],
  out: "generated",
  emit: null,
  options: {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  },
};
